package io.firstcome.bootstrap.rest.admin;

import io.firstcome.application.reconciliation.ExactnessProof;
import io.firstcome.application.reconciliation.RunProofs;
import io.firstcome.application.reconciliation.RunProofs.Progress;
import io.firstcome.bootstrap.load.WaitingRequests;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.Preferences;
import io.firstcome.bootstrap.security.Caller;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint with which operators prove the exactness of a coupon. */
@RestController
@RequestMapping("/api/v1/admin/coupons/{couponId}/proof")
public class ProofController {

  private static final Duration USUAL_WAIT = Duration.ofSeconds(10);

  /** Shorter than the usual timeouts of clients and gateways. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

  /** Short, because the next call waits for the end of the comparison. */
  private static final Duration RETRY_WHILE_COMPARING = Duration.ofSeconds(1);

  private static final Duration RETRY_WHILE_BUSY = Duration.ofSeconds(5);

  private final RunProofs runProofs;
  private final WaitingRequests waiting = new WaitingRequests("proofs");

  ProofController(RunProofs runProofs) {
    this.runProofs = runProofs;
  }

  /** The proof, as JSON. */
  public record ProofJson(
      int total,
      int slotsUsed,
      int free,
      long unrecorded,
      long missing,
      long extra,
      long lost,
      long duplicateUsers,
      long oldestUnrecordedMillis,
      int removed,
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
          proof.removed(),
          proof.handoffDepth(),
          proof.exact(),
          proof.discrepancies().stream().map(DiscrepancyJson::of).toList(),
          proof.checkedAt().toString());
    }
  }

  /** The progress of a proof, as JSON. */
  public record ProgressJson(
      String state, String phase, long compared, long expected, String begunAt) {

    static ProgressJson of(Progress progress, Instant begunAt) {
      return new ProgressJson(
          "COMPARING",
          progress.phase().name(),
          progress.compared(),
          progress.expected(),
          begunAt.toString());
    }
  }

  /** The proof, or its progress if it takes longer than the client prefers to wait. */
  @GetMapping
  public ResponseEntity<Object> proof(
      @PathVariable String couponId,
      @RequestHeader(name = "Prefer", required = false) @Nullable List<String> prefer,
      Caller caller,
      HttpServletRequest request)
      throws InterruptedException {
    var id = CouponIds.parse(couponId);
    var wait = Preferences.waitTime(prefer == null ? List.of() : prefer, USUAL_WAIT, LONGEST_WAIT);
    var operator = Optional.ofNullable(caller.userId());
    return answer(waiting.await(request, caller, () -> runProofs.prove(id, operator, wait)));
  }

  private static ResponseEntity<Object> answer(RunProofs.Answer answer) {
    return switch (answer) {
      case RunProofs.Answer.Done(ExactnessProof proof) -> ResponseEntity.ok(ProofJson.of(proof));
      case RunProofs.Answer.UnderWay(Progress progress, Instant begunAt) ->
          ResponseEntity.status(HttpStatus.ACCEPTED)
              .header(HttpHeaders.RETRY_AFTER, Long.toString(RETRY_WHILE_COMPARING.toSeconds()))
              .body(ProgressJson.of(progress, begunAt));
      case RunProofs.Answer.UnknownCoupon() -> throw Problem.unknownCoupon();
      case RunProofs.Answer.NotNow() ->
          throw Problem.of(
                  ProblemType.OVERLOADED,
                  "A proof that you have started for another coupon is running, or too many of other operators are. Retry.")
              .retryAfterAbout(RETRY_WHILE_BUSY);
    };
  }
}
