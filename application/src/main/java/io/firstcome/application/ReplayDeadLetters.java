package io.firstcome.application;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.issuance.DeadLetter;
import io.firstcome.domain.issuance.DeadLetter.Content;
import io.firstcome.domain.issuance.DeadLetterId;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.ClaimMessageReader;
import io.firstcome.domain.port.ClaimMessageReader.Reading;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.usercoupon.Actor;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;

/**
 * Tries again to record dead letters: each by itself for a bounded number of times, so that nothing
 * healthy stays among them, and any of them when an operator asks.
 *
 * <p>A letter goes the way of every accepted claim, and is forgotten only when all of its claims
 * have come to rest. So it may be replayed twice, at the same time, or while its message is
 * delivered once more: the second one finds the row. The log is left alone: where it still has the
 * entry, the sweep publishes it, and the recorder that finds it recorded removes it.
 */
public final class ReplayDeadLetters {

  private final DeadLetters letters;
  private final ClaimMessageReader reader;
  private final RecordAcceptedClaims recorder;
  private final KeepDeadLetters keepDeadLetters;
  private final AuditTrail audit;
  private final InstantSource clock;
  private final ApplicationLimits limits;
  private final IssuanceObserver observer;

  public ReplayDeadLetters(
      DeadLetters letters,
      ClaimMessageReader reader,
      RecordAcceptedClaims recorder,
      KeepDeadLetters keepDeadLetters,
      AuditTrail audit,
      InstantSource clock,
      ApplicationLimits limits,
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

  /** What a replay came to. */
  public sealed interface Result {

    /** All that the letter held has come to rest, and it is gone. */
    record Recorded() implements Result {}

    /** It stays. */
    record Failed(String reason, int attempts) implements Result {}

    /** There is no such letter, or not any more. */
    record UnknownLetter() implements Result {}
  }

  /**
   * Replays one letter now, at an operator's word.
   *
   * @throws DatabaseUnavailableException if the database is away. The letter stays unless all that
   *     it held has come to rest, so asking again is safe
   */
  public Result replay(DeadLetterId id, Actor actor) {
    var now = clock.instant();
    letters.find(id).ifPresent(letter -> audit.add(AuditEntry.ofReplay(letter, actor, now)));
    try {
      return letters.begin(id, now).map(this::attempt).orElseGet(Result.UnknownLetter::new);
    } catch (DatabaseUnavailableException e) {
      // Whatever is known of the one call that failed: others have taken effect before it.
      throw new DatabaseUnavailableException(
          Effect.UNKNOWN, "the replay did not come to its end", e);
    }
  }

  /**
   * Replays the letter that is due, if there is one.
   *
   * @return whether there was one
   * @throws ServerUnavailableException if the database is away; the letter stays
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
    observer.deadLetterReplayed(letter.id(), result instanceof Result.Recorded);
    return result;
  }

  private Result attempt(DeadLetter letter, HandoffEntry entry) {
    List<SetAsideClaim> setAside;
    try {
      setAside = recorder.bringToRest(List.of(entry));
    } catch (ServerUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      observer.roundFailed("replay a dead letter", e);
      return failed(letter, "recording it fails with " + e.getClass().getSimpleName());
    }
    if (!setAside.isEmpty() && entry.claims().size() == 1) {
      return failed(letter, setAside.getFirst().reason());
    }
    // Those at fault are letters of their own before the one that held them all is forgotten.
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
