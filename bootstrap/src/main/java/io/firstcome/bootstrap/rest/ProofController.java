package io.firstcome.bootstrap.rest;

import io.firstcome.application.ExactnessProof;
import io.firstcome.application.RunProofs;
import io.firstcome.application.RunProofs.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What operators ask of a coupon's exactness. */
@RestController
@RequestMapping("/api/v1/admin/coupons/{couponId}/proof")
class ProofController {

  private static final Duration USUAL_WAIT = Duration.ofSeconds(10);

  /** Shorter than the time after which clients and gateways usually give up. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  /** The next call waits for the end of the comparison, so it may come soon. */
  private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

  private static final Duration WHEN_OTHERS_ARE_DONE = Duration.ofSeconds(5);

  private final RunProofs runProofs;

  ProofController(RunProofs runProofs) {
    this.runProofs = runProofs;
  }

  /** The proof, as JSON. */
  record ProofJson(
      int total,
      int slotsUsed,
      int free,
      long unrecorded,
      long missing,
      long extra,
      long lost,
      long duplicateUsers,
      long oldestUnrecordedMillis,
      long handoffDepth,
      boolean exact,
      List<DiscrepancyJson> discrepancies,
      String checkedAt) {

    static ProofJson of(ExactnessProof proof) {
      return new ProofJson(
          proof.total(),
          proof.slotsUsed(),
          proof.free(),
          proof.unrecorded(),
          proof.missing(),
          proof.extra(),
          proof.lost(),
          proof.duplicateUsers(),
          proof.oldestUnrecorded().toMillis(),
          proof.handoffDepth(),
          proof.exact(),
          proof.discrepancies().stream().map(DiscrepancyJson::of).toList(),
          proof.checkedAt().toString());
    }
  }

  /** How far a proof has come, as JSON. */
  record ProgressJson(String state, String phase, long compared, long expected, String begunAt) {

    static ProgressJson of(Progress progress, Instant begunAt) {
      return new ProgressJson(
          "COMPARING",
          progress.phase().name(),
          progress.compared(),
          progress.expected(),
          begunAt.toString());
    }
  }

  /** The proof, or after the time that the client would wait, how far it has come. */
  @GetMapping
  ResponseEntity<Object> proof(
      @PathVariable String couponId,
      @RequestHeader(name = "Prefer", required = false) @Nullable List<String> prefer)
      throws InterruptedException {
    var id = CouponIds.parse(couponId);
    var wait = Preferences.waitTime(prefer == null ? List.of() : prefer, USUAL_WAIT, LONGEST_WAIT);
    return switch (runProofs.prove(id, wait)) {
      case RunProofs.Answer.Done(ExactnessProof proof) -> ResponseEntity.ok(ProofJson.of(proof));
      case RunProofs.Answer.UnderWay(Progress progress, Instant begunAt) ->
          ResponseEntity.status(HttpStatus.ACCEPTED)
              .header(HttpHeaders.RETRY_AFTER, Long.toString(ASK_AGAIN.toSeconds()))
              .body(ProgressJson.of(progress, begunAt));
      case RunProofs.Answer.UnknownCoupon() -> throw Problem.unknownCoupon();
      case RunProofs.Answer.NotNow() ->
          throw Problem.unavailable(
              "overloaded",
              "Overloaded",
              "Proofs of other coupons are under way. Try again.",
              WHEN_OTHERS_ARE_DONE);
    };
  }
}
