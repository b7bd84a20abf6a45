package io.firstcome.bootstrap.rest.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.application.recording.DiscardDeadLetters;
import io.firstcome.application.recording.ReadDeadLetters;
import io.firstcome.application.recording.ReplayDeadLetters;
import io.firstcome.application.recording.ReplayDeadLetters.Result;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.PageLimit;
import io.firstcome.bootstrap.rest.request.WholeNumber;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.handoff.DeadLetterId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints with which operators read, replay and discard dead letters. */
@RestController
@WithRedis
@RequestMapping("/api/v1/admin/dead-letters")
public class AdminDeadLetterController {

  private final ReadDeadLetters readDeadLetters;
  private final ReplayDeadLetters replayDeadLetters;
  private final DiscardDeadLetters discardDeadLetters;

  AdminDeadLetterController(
      ReadDeadLetters readDeadLetters,
      ReplayDeadLetters replayDeadLetters,
      DiscardDeadLetters discardDeadLetters) {
    this.readDeadLetters = readDeadLetters;
    this.replayDeadLetters = replayDeadLetters;
    this.discardDeadLetters = discardDeadLetters;
  }

  /**
   * A page of dead letters, oldest first.
   *
   * @param next the {@code after} of the next page; absent on the last page
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PageJson(List<DeadLetterJson> items, @Nullable String next) {}

  /** The outcome of a successful replay; a failed one is answered as a problem. */
  public record ReplayJson(String outcome) {}

  @GetMapping
  public PageJson page(
      @RequestParam(defaultValue = PageLimit.DEFAULT) String limit,
      @RequestParam(required = false) @Nullable String after) {
    int max = PageLimit.parse(limit);
    var letters = readDeadLetters.page(after == null ? null : after(after), max + 1);
    var page = letters.subList(0, Math.min(max, letters.size()));
    return new PageJson(
        page.stream().map(DeadLetterJson::of).toList(),
        letters.size() > max ? page.getLast().id().toString() : null);
  }

  @GetMapping("/{id}")
  DeadLetterJson letter(@PathVariable String id) {
    return readDeadLetters
        .find(parse(id))
        .map(DeadLetterJson::of)
        .orElseThrow(AdminDeadLetterController::unknown);
  }

  @PostMapping("/{id}/replay")
  public ReplayJson replay(@PathVariable String id, Caller caller) {
    return switch (replayDeadLetters.replay(parse(id), caller.operator())) {
      case Result.Recorded() -> new ReplayJson("RECORDED");
      case Result.Failed(String reason, int attempts) ->
          throw Problem.of(
                  ProblemType.NOT_RECORDED,
                  "The dead letter could not be recorded and is kept: " + reason + ".")
              .with("reason", reason)
              .with("attempts", attempts);
      case Result.UnknownLetter() -> throw unknown();
    };
  }

  @DeleteMapping("/{id}")
  public ResponseEntity<Void> discard(@PathVariable String id, Caller caller) {
    return switch (discardDeadLetters.discard(parse(id), caller.operator())) {
      case DISCARDED -> ResponseEntity.noContent().build();
      case HAS_CLAIMS ->
          throw Problem.of(
              ProblemType.DEAD_LETTER_HAS_CLAIMS,
              "The dead letter has claims of a coupon that exists, and is kept: replay it.");
      case UNKNOWN_LETTER -> throw unknown();
    };
  }

  private static DeadLetterId after(String text) {
    try {
      return new DeadLetterId(WholeNumber.parse(text));
    } catch (IllegalArgumentException e) {
      throw Problem.malformed("after must be the value of next of a page.");
    }
  }

  /** A text that is not a valid id is answered like an unknown id. */
  private static DeadLetterId parse(String path) {
    try {
      return new DeadLetterId(WholeNumber.parse(path));
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  private static Problem unknown() {
    return Problem.of(
        ProblemType.UNKNOWN_DEAD_LETTER,
        "There is no dead letter with this id; it may have been recorded or discarded meanwhile.");
  }
}
