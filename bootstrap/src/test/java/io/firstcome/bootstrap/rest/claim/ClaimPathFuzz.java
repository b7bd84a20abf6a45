package io.firstcome.bootstrap.rest.claim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.CouponId;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.UriUtils;

/** Paths of requests: a claim is made only at its path, and for the coupon that the path names. */
public final class ClaimPathFuzz {

  private ClaimPathFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    var raw = new String(input, UTF_8);
    RequestPath path;
    try {
      path = RequestPath.parse(raw, null);
    } catch (IllegalArgumentException e) {
      // The container refuses it.
      return;
    }
    var couponId = ClaimMapping.couponIdIn(path);
    if (couponId == null) {
      return;
    }
    CouponId valid;
    try {
      valid = new CouponId(couponId);
    } catch (IllegalArgumentException e) {
      return;
    }
    assertThat(plain(raw)).isEqualTo("/api/v1/coupons/" + valid + "/claims");
  }

  /** The path without path parameters and percent encoding. */
  private static String plain(String raw) {
    return Arrays.stream(raw.split("/", -1))
        .map(segment -> UriUtils.decode(segment.split(";", 2)[0], UTF_8))
        .collect(Collectors.joining("/"));
  }
}
