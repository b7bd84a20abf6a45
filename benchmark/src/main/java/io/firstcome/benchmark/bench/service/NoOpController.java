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
 * A call with the arguments and the answer of a claim that does nothing. Its cost is that of a
 * claim before it reaches the use case.
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

    /** With values of the usual length. */
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

  /** Answers like an accepted claim. */
  @PostMapping("/api/v1/coupons/{couponId}/no-op")
  public ResponseEntity<ClaimJson> noOp(
      @PathVariable String couponId,
      @RequestHeader(name = "Prefer", required = false) @Nullable List<String> prefer,
      @RequestHeader(name = "X-User-Id", required = false) @Nullable String user,
      HttpServletRequest request) {
    boolean refused =
        request.getContentLengthLong() > 0 || prefer != null || (user != null && user.isEmpty());
    return ResponseEntity.accepted()
        .location(URI.create("/api/v1/coupons/" + couponId + "/claims/me"))
        .body(ClaimJson.of(refused ? "REFUSED" : "ACCEPTED", couponId));
  }
}
