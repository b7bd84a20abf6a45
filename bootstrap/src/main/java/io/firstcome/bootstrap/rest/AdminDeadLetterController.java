package io.firstcome.bootstrap.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.application.ReadDeadLetters;
import io.firstcome.application.ReplayDeadLetters;
import io.firstcome.application.ReplayDeadLetters.Result;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.issuance.DeadLetterId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What operators do with claims and messages that could not be recorded. */
@RestController
@WithRedis
@RequestMapping("/api/v1/admin/dead-letters")
class AdminDeadLetterController {

  private final ReadDeadLetters readDeadLetters;
  private final ReplayDeadLetters replayDeadLetters;

  AdminDeadLetterController(ReadDeadLetters readDeadLetters, ReplayDeadLetters replayDeadLetters) {
    this.readDeadLetters = readDeadLetters;
    this.replayDeadLetters = replayDeadLetters;
  }

  /**
   * A page of letters, oldest first.
   *
   * @param next the {@code after} of the next page; left out where this one is the last
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record PageJson(List<DeadLetterJson> items, @Nullable Long next) {}

  /** What a replay came to; one that fails is a problem instead. */
  record ReplayJson(String outcome) {}

  @GetMapping
  PageJson page(
      @RequestParam(defaultValue = PageLimit.DEFAULT) String limit,
      @RequestParam(required = false) @Nullable String after) {
    int max = PageLimit.parse(limit);
    var letters = readDeadLetters.page(after == null ? null : after(after), max + 1);
    var page = letters.subList(0, Math.min(max, letters.size()));
    return new PageJson(
        page.stream().map(DeadLetterJson::of).toList(),
        letters.size() > max ? page.getLast().id().value() : null);
  }

  @GetMapping("/{id}")
  DeadLetterJson letter(@PathVariable String id) {
    return readDeadLetters
        .find(parse(id))
        .map(DeadLetterJson::of)
        .orElseThrow(AdminDeadLetterController::unknown);
  }

  @PostMapping("/{id}/replay")
  ReplayJson replay(@PathVariable String id, Caller caller) {
    return switch (replayDeadLetters.replay(parse(id), caller.operator())) {
      case Result.Recorded() -> new ReplayJson("RECORDED");
      case Result.Failed(String reason, int attempts) ->
          throw Problem.conflict(
                  "not-recorded",
                  "Not recorded",
                  "The letter cannot be recorded, and stays: " + reason + ".")
              .with("reason", reason)
              .with("attempts", attempts);
      case Result.UnknownLetter() -> throw unknown();
    };
  }

  private static DeadLetterId after(String text) {
    try {
      return new DeadLetterId(Long.parseLong(text));
    } catch (IllegalArgumentException e) {
      throw Problem.malformed("after must be the id of a dead letter.");
    }
  }

  /** A text that cannot be an id names no letter, like one that could and does not. */
  private static DeadLetterId parse(String path) {
    try {
      return new DeadLetterId(Long.parseLong(path));
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  private static Problem unknown() {
    return Problem.notFound(
        "unknown-dead-letter",
        "Unknown dead letter",
        "There is no dead letter of this id; it may have been recorded since.");
  }
}
