package io.firstcome.benchmark.bench.service;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * A call of the same shape as a claim that does nothing: the same arguments are read, the same
 * members are answered. What the server takes for it is what a claim costs before it is one.
 */
@RestController
public class NoOpController {

  /** The members of a claim's answer. */
  record ClaimJson(
      String outcome,
      String couponId,
      String userCouponId,
      int slot,
      String code,
      @Nullable String state) {

    /** In the usual lengths. */
    static ClaimJson of(String outcome, String couponId) {
      return new ClaimJson(
          outcome,
          couponId,
          couponId + ".0123456789ABCDEF0123456789",
          1_000_000,
          "0123456789ABCDEF",
          "ACCEPTED");
    }
  }

  /** Answers as an accepted claim is answered. */
  @PostMapping("/api/v1/coupons/{couponId}/no-op")
  public ResponseEntity<ClaimJson> noOp(
      @PathVariable String couponId,
      @RequestHeader(name = "Prefer", required = false) @Nullable List<String> prefer,
      @RequestHeader("X-User-Id") String user,
      HttpServletRequest request) {
    boolean refused = request.getContentLengthLong() > 0 || prefer != null || user.isEmpty();
    return ResponseEntity.accepted()
        .location(URI.create("/api/v1/coupons/" + couponId + "/claims/me"))
        .body(ClaimJson.of(refused ? "REFUSED" : "ACCEPTED", couponId));
  }
}
