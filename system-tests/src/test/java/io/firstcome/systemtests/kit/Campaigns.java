package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;

/** Defines campaigns by the API. */
public final class Campaigns {

  private Campaigns() {}

  /** Defines drafts; their slots go back to stock. */
  public static List<String> drafts(World world, CouponRequests... coupons) {
    return Arrays.stream(coupons).map(coupon -> draft(world, coupon)).toList();
  }

  private static String draft(World world, CouponRequests coupon) {
    var json = coupon.with("returnsToStock", "true").with("draft", "true").json();
    var answer = world.send(Call.define(json));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.text("couponId");
  }

  /** The call that puts the coupons into a campaign. */
  public static Call define(String campaignId, int limitPerUser, List<String> couponIds) {
    return Call.of("POST", "/api/v1/admin/campaigns")
        .operator()
        .json(
            "{\"campaignId\":\"%s\",\"limitPerUser\":%d,\"couponIds\":[%s]}"
                .formatted(
                    campaignId,
                    limitPerUser,
                    String.join(",", couponIds.stream().map("\"%s\""::formatted).toList())));
  }

  /** Defines a campaign of these coupons, which can be claimed then; returns their ids. */
  public static List<String> published(World world, int limitPerUser, CouponRequests... coupons) {
    var couponIds = drafts(world, coupons);
    var defined = world.send(define("C-" + couponIds.getFirst(), limitPerUser, couponIds));
    assertThat(defined.status()).as(defined.body()).isEqualTo(201);
    for (var couponId : couponIds) {
      var path = "/api/v1/admin/coupons/" + couponId + "/publish";
      var answer = world.send(Call.of("POST", path).operator());
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }
    return couponIds;
  }
}
