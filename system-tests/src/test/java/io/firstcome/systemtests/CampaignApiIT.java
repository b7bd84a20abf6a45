package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static io.firstcome.systemtests.kit.Exactness.assertExact;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Campaigns;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An operator defines campaigns, and customers claim their coupons. */
@ExtendWith(QuietLogs.class)
class CampaignApiIT {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String PATH = "/api/v1/admin/campaigns/";

  private final World world = World.get();

  private static CouponRequests inPostgres() {
    return aCoupon().with("stockBackend", "\"postgres\"");
  }

  private Answer claim(String coupon, String user) {
    return world.send(Call.claim(coupon).as(user).prefer("wait=10"));
  }

  private Answer operate(String coupon, String operation) {
    var path = "/api/v1/admin/coupons/" + coupon + "/" + operation;
    return world.send(Call.of("POST", path).operator());
  }

  private static String campaignOf(List<String> coupons) {
    return "C-" + coupons.getFirst();
  }

  @Test
  void a_campaign_is_defined_once_and_read() {
    var drafts = Campaigns.drafts(world, aCoupon(), aCoupon(), aCoupon());
    var id = campaignOf(drafts);

    var defined = world.send(Campaigns.define(id, 2, drafts));
    assertThat(defined.status()).as(defined.body()).isEqualTo(201);
    assertThat(defined.header("location")).isEqualTo(PATH + id);

    assertThat(world.send(Campaigns.define(id, 2, drafts.reversed())).status()).isEqualTo(200);
    assertProblem(world.send(Campaigns.define(id, 1, drafts)), 409, "already-defined");
    var read = world.send(Call.get(PATH + id).operator());
    assertThat(read.status()).isEqualTo(200);
    assertThat(read.json()).isEqualTo(defined.json());
    var coupon = world.send(Call.get("/api/v1/admin/coupons/" + drafts.getFirst()).operator());
    assertThat(coupon.json().path("campaign").toString())
        .isEqualTo("{\"campaignId\":\"%s\",\"limitPerUser\":2}".formatted(id));
    assertProblem(world.send(Call.get(PATH + "NOWHERE").operator()), 404, "unknown-campaign");
    assertProblem(world.send(Call.get(PATH + "no_id").operator()), 404, "unknown-campaign");
  }

  @Test
  void a_campaign_is_deleted_until_a_coupon_of_it_is_published() {
    var drafts = Campaigns.drafts(world, aCoupon(), aCoupon());
    var id = campaignOf(drafts);
    var delete = Call.of("DELETE", PATH + id).operator();
    assertProblem(world.send(delete), 404, "unknown-campaign");

    world.send(Campaigns.define(id, 1, drafts));
    assertThat(world.send(delete).status()).isEqualTo(204);
    assertThat(world.send(Campaigns.define(id, 1, drafts)).status()).isEqualTo(201);
    assertThat(operate(drafts.getFirst(), "publish").status()).isEqualTo(200);

    assertProblem(world.send(delete), 409, "not-draft");
  }

  @Test
  void a_number_that_is_too_large_is_said_to_be_so() {
    var define =
        Call.of("POST", "/api/v1/admin/campaigns")
            .operator()
            .json("{\"campaignId\":\"C-1\",\"limitPerUser\":4294967297,\"couponIds\":[]}");

    assertThat(assertProblem(world.send(define), 400, "malformed-request").text("detail"))
        .contains("A number of the body is too large");
  }

  @Test
  void campaigns_are_listed_in_pages() {
    var id = campaignOf(Campaigns.published(world, 1, aCoupon(), aCoupon()));
    Campaigns.published(world, 1, aCoupon(), aCoupon());
    var list = "/api/v1/admin/campaigns?limit=1";

    var first = world.send(Call.get(list).operator());
    assertThat(first.json().path("items")).as(first.body()).hasSize(1);
    var next = world.send(Call.get(list + "&after=" + first.text("next")).operator());
    assertThat(next.json().path("items")).as(next.body()).hasSize(1);
    var all = world.send(Call.get("/api/v1/admin/campaigns?limit=100").operator());
    assertThat(all.json().path("items").findValuesAsString("campaignId")).contains(id).isSorted();
    assertProblem(world.send(Call.get(list + "&after=no_id").operator()), 400, "malformed-request");
  }

  private void assertInvalid(Call call, String member, String words) {
    var answer = world.send(call);
    assertProblem(answer, 422, "invalid-campaign");
    assertThat(answer.json().path("errors").path(member).asString())
        .as(answer.body())
        .contains(words);
  }

  @Test
  void a_coupon_that_cannot_be_in_the_campaign_is_named_and_nothing_changes() {
    var drafts = Campaigns.drafts(world, aCoupon(), aCoupon());
    var published = world.define(aCoupon().with("returnsToStock", "true"));
    var kept = world.send(Call.define(aCoupon().with("draft", "true").json())).text("couponId");
    var elsewhere = Campaigns.drafts(world, inPostgres()).getFirst();
    var first = drafts.getFirst();

    assertInvalid(
        Campaigns.define("C1-" + first, 1, List.of(first, published)),
        "couponIds",
        published + " is published");
    assertInvalid(
        Campaigns.define("C1-" + first, 1, List.of(first, "NOWHERE")),
        "couponIds",
        "NOWHERE does not exist");
    assertInvalid(
        Campaigns.define("C1-" + first, 1, List.of(first, kept)),
        "couponIds",
        kept + " must have returnsToStock");
    assertInvalid(
        Campaigns.define("C1-" + first, 1, List.of(first, elsewhere)), "couponIds", "stockBackend");
    assertInvalid(Campaigns.define("C1-" + first, 2, drafts), "limitPerUser", "less than");
    assertInvalid(Campaigns.define("C1-" + first, 0, drafts), "limitPerUser", "at least 1");
    assertInvalid(Campaigns.define("c", 1, drafts), "campaignId", "2 to 40");
    assertInvalid(Campaigns.define("C1-" + first, 1, List.of(first)), "couponIds", "2 to 20");
    assertInvalid(
        Campaigns.define("C1-" + first, 1, List.of(first, first)), "couponIds", "different");

    assertThat(world.send(Campaigns.define(campaignOf(drafts), 1, drafts)).status()).isEqualTo(201);
    assertInvalid(
        Campaigns.define("C2-" + first, 1, drafts), "couponIds", "belongs to another campaign");
  }

  @Test
  void a_customer_gets_as_many_coupons_as_the_campaign_allows() {
    gets_as_many_as_the_campaign_allows(() -> aCoupon().withTotal(10));
  }

  @Test
  void a_customer_gets_as_many_coupons_in_postgres_as_the_campaign_allows() {
    gets_as_many_as_the_campaign_allows(() -> inPostgres().withTotal(10));
  }

  private void gets_as_many_as_the_campaign_allows(Supplier<CouponRequests> coupon) {
    var coupons = Campaigns.published(world, 1, coupon.get(), coupon.get());
    var customer = Users.one();
    var has = claim(coupons.getFirst(), customer);
    assertThat(has.status()).as(has.body()).isEqualTo(201);

    assertProblem(claim(coupons.getLast(), customer), 409, "campaign-limit");
    assertThat(claim(coupons.getFirst(), customer).text("outcome")).isEqualTo("ALREADY_ISSUED");
    assertThat(claim(coupons.getLast(), Users.one()).status()).isEqualTo(201);

    var returned =
        world.send(
            Call.of("DELETE", "/api/v1/me/coupons/" + has.text("userCouponId")).as(customer));
    assertThat(returned.status()).as(returned.body()).isLessThan(300);
    Await.until(
        LIMIT,
        "the slot goes back to stock",
        () -> claim(coupons.getLast(), customer).status() == 201);
    assertProblem(claim(coupons.getFirst(), customer), 409, "returned");
  }

  @Test
  void of_all_users_who_claim_both_coupons_none_gets_both() {
    none_gets_both(() -> aCoupon().withTotal(300));
  }

  @Test
  void of_all_users_who_claim_both_coupons_in_postgres_none_gets_both() {
    none_gets_both(() -> inPostgres().withTotal(300));
  }

  private void none_gets_both(Supplier<CouponRequests> coupon) {
    var coupons = Campaigns.published(world, 1, coupon.get(), coupon.get());
    var users = Users.some(600);
    var one = world.crowd(coupons.getFirst(), users);
    var other = world.crowd(coupons.getLast(), users);
    one.join();
    other.join();

    assertThat(users(assertExact(world, coupons.getFirst())))
        .hasSize(300)
        .doesNotContainAnyElementsOf(users(assertExact(world, coupons.getLast())));
    assertThat(coupons.stream().flatMap(id -> world.record().claimsOf(id).stream()))
        .anySatisfy(claim -> assertThat(claim.outcome()).isEqualTo("campaign-limit"));
  }

  static List<String> users(StoredCoupon coupon) {
    return coupon.rows().stream()
        .filter(StoredCoupon.Row::live)
        .map(StoredCoupon.Row::user)
        .toList();
  }

  @Test
  void a_coupon_is_archived_when_all_coupons_of_its_campaign_are_closed() {
    var coupons = Campaigns.published(world, 1, aCoupon(), aCoupon());
    assertThat(claim(coupons.getFirst(), Users.one()).status()).isEqualTo(201);
    assertThat(operate(coupons.getFirst(), "close").status()).isEqualTo(200);

    var open = operate(coupons.getFirst(), "archive");
    assertProblem(open, 409, "not-settled");
    assertThat(open.json().path("open").toString()).isEqualTo("[\"CAMPAIGN\"]");

    assertThat(operate(coupons.getLast(), "close").status()).isEqualTo(200);
    assertThat(operate(coupons.getFirst(), "archive").status()).isEqualTo(200);
  }

  @Test
  void an_edit_of_a_coupon_of_a_campaign_keeps_that_slots_go_back() {
    var coupon = Campaigns.published(world, 1, aCoupon(), aCoupon()).getFirst();
    var answer =
        world.send(
            Call.of("PATCH", "/api/v1/admin/coupons/" + coupon)
                .operator()
                .header("If-Match: \"3\"")
                .json("{\"returnsToStock\":false}"));

    assertProblem(answer, 422, "invalid-coupon");
    assertThat(answer.json().path("errors").has("returnsToStock")).as(answer.body()).isTrue();
  }
}
