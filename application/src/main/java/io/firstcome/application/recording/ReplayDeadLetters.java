package io.firstcome.application.recording;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.ClaimMessageReader;
import io.firstcome.domain.port.ClaimMessageReader.Reading;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.usercoupon.Actor;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;

/**
 * Retries the recording of dead letters: each automatically for a bounded number of times, so that
 * no recordable one stays, and any of them when an operator requests it.
 *
 * <p>A letter is recorded like every accepted claim, and deleted only when all of its claims are
 * stored elsewhere. So a replay is idempotent, even if it is concurrent or the message is
 * redelivered: the second one finds the row. The log is not changed: if it still has the entry, the
 * sweep publishes it, and the recorder that finds it recorded removes it.
 */
public final class ReplayDeadLetters {

  private final DeadLetters letters;
  private final ClaimMessageReader reader;
  private final RecordAcceptedClaims recorder;
  private final KeepDeadLetters keepDeadLetters;
  private final AuditTrail audit;
  private final InstantSource clock;
  private final RecordingLimits limits;
  private final IssuanceObserver observer;

  public ReplayDeadLetters(
      DeadLetters letters,
      ClaimMessageReader reader,
      RecordAcceptedClaims recorder,
      KeepDeadLetters keepDeadLetters,
      AuditTrail audit,
      InstantSource clock,
      RecordingLimits limits,
      IssuanceObserver observer) {
    this.letters = letters;
    this.reader = reader;
    this.recorder = recorder;
    this.keepDeadLetters = keepDeadLetters;
    this.audit = audit;
    this.clock = clock;
    this.limits = limits;
    this.observer = observer;
  }

  /** The result of a replay. */
  public sealed interface Result {

    /** All claims of the letter are stored elsewhere, and it is deleted. */
    record Recorded() implements Result {}

    /** The letter stays. */
    record Failed(String reason, int attempts) implements Result {}

    /** There is no such letter, or not any more. */
    record UnknownLetter() implements Result {}
  }

  /**
   * Replays one letter now, for an operator.
   *
   * @throws DatabaseUnavailableException if the database is not reachable. The letter stays unless
   *     all of its claims are stored elsewhere, so a retry is safe
   */
  public Result replay(DeadLetterId id, Actor actor) {
    var now = clock.instant();
    letters.find(id).ifPresent(letter -> audit.add(AuditEntry.ofReplay(letter, actor, now)));
    try {
      return letters.begin(id, now).map(this::attempt).orElseGet(Result.UnknownLetter::new);
    } catch (DatabaseUnavailableException e) {
      // Even if the failed call had no effect: earlier calls had one.
      throw new DatabaseUnavailableException(Effect.UNKNOWN, "the replay was not completed", e);
    }
  }

  /**
   * Replays the letter that is due, if there is one.
   *
   * @return whether there was one
   * @throws ServerUnavailableException if the database is not reachable; the letter stays
   */
  public boolean replayDue() {
    var due = letters.beginDue(clock.instant(), limits.replayAfter(), limits.replayAttempts());
    due.ifPresent(this::attempt);
    return due.isPresent();
  }

  private Result attempt(DeadLetter letter) {
    var result =
        switch (letter.content()) {
          case Content.Claims(HandoffEntry entry) -> attempt(letter, entry);
          case Content.Unreadable(String base64) ->
              switch (reader.read(Base64.getDecoder().decode(base64))) {
                case Reading.Decoded(HandoffEntry entry) -> attempt(letter, entry);
                case Reading.Unreadable(String reason) -> failed(letter, reason);
              };
        };
    observer.observe(
        new RecordingObservation.DeadLetterReplayed(
            letter.id(), result instanceof Result.Recorded));
    return result;
  }

  private Result attempt(DeadLetter letter, HandoffEntry entry) {
    List<SetAsideClaim> setAside;
    try {
      setAside = recorder.recordAll(List.of(entry));
    } catch (ServerUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      observer.observe(new OperationObservation.RoundFailed("replay a dead letter", e));
      return failed(letter, "recording failed with " + e.getClass().getSimpleName());
    }
    if (!setAside.isEmpty() && entry.claims().size() == 1) {
      return failed(letter, setAside.getFirst().reason());
    }
    // The failed claims become letters of their own before the original letter is deleted.
    keepDeadLetters.keepSetAside(setAside);
    letters.remove(letter.id());
    return new Result.Recorded();
  }

  private Result failed(DeadLetter letter, String reason) {
    var printable = KeepDeadLetters.printable(reason);
    letters.failed(letter.id(), printable);
    return new Result.Failed(printable, letter.attempts());
  }
}
