package io.firstcome.application.recording;

import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.port.DeadLetters;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;

/**
 * Stores claims and messages that could not be recorded as dead letters. When it returns they are
 * durable, and their messages may be acknowledged.
 */
public final class KeepDeadLetters {

  private static final String DELIVERED_TOO_OFTEN = "delivered too often without being recorded";

  /** A reason can quote a message. */
  private static final int MAX_REASON_LENGTH = 200;

  private final DeadLetters letters;
  private final InstantSource clock;
  private final ServerWait serverWait;
  private final IssuanceObserver observer;

  public KeepDeadLetters(
      DeadLetters letters, InstantSource clock, RecordingLimits limits, IssuanceObserver observer) {
    this.letters = letters;
    this.clock = clock;
    this.serverWait = new ServerWait(limits, observer);
    this.observer = observer;
  }

  /**
   * Stores entries whose messages reached the broker's delivery limit, and waits while the database
   * is not reachable.
   */
  public void keepUndelivered(List<HandoffEntry> entries) throws InterruptedException {
    keep(
        entries.stream()
            .map(entry -> new DeadLetter.Draft(new Content.Claims(entry), DELIVERED_TOO_OFTEN))
            .toList());
  }

  /** Stores a message unchanged, and waits while the database is not reachable. */
  public void keepUnreadable(byte[] body, String reason) throws InterruptedException {
    var content = new Content.Unreadable(Base64.getEncoder().encodeToString(body));
    keep(List.of(new DeadLetter.Draft(content, printable(reason))));
  }

  private void keep(List<DeadLetter.Draft> drafts) throws InterruptedException {
    serverWait.untilDone(() -> letters.add(drafts, clock.instant()));
    drafts.forEach(
        draft -> observer.observe(new RecordingObservation.MessageSetAside(draft.reason())));
  }

  /**
   * Stores claims that cannot be recorded as they are.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     it
   */
  void keepSetAside(List<SetAsideClaim> claims) {
    if (!claims.isEmpty()) {
      letters.add(claims.stream().map(SetAsideClaim::draft).toList(), clock.instant());
      claims.forEach(claim ->
          observer.observe(
              new RecordingObservation.ClaimSetAside(claim.entry().couponId(), claim.reason())));
    }
  }

  /** The reason as printable ASCII, cut to a maximum length, for database and log. */
  static String printable(String reason) {
    var printable = reason.replaceAll("[^ -~]", "?");
    return printable.substring(0, Math.min(printable.length(), MAX_REASON_LENGTH));
  }
}
