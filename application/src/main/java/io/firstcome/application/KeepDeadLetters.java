package io.firstcome.application;

import io.firstcome.domain.issuance.DeadLetter;
import io.firstcome.domain.issuance.DeadLetter.Content;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.IssuanceObserver;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;

/**
 * Makes dead letters of claims and messages that could not be recorded. When it returns they are
 * kept durably, and their messages may be acknowledged.
 */
public final class KeepDeadLetters {

  private static final String DELIVERED_TOO_OFTEN = "delivered too often without being recorded";

  /** A reason can quote what it found. */
  private static final int MAX_REASON_LENGTH = 200;

  private final DeadLetters letters;
  private final InstantSource clock;
  private final ServerWait serverWait;
  private final IssuanceObserver observer;

  public KeepDeadLetters(
      DeadLetters letters,
      InstantSource clock,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    this.letters = letters;
    this.clock = clock;
    this.serverWait = new ServerWait(limits, observer);
    this.observer = observer;
  }

  /** Keeps entries whose messages the broker has given up, and waits while the database is away. */
  public void keepUndelivered(List<HandoffEntry> entries) throws InterruptedException {
    keep(
        entries.stream()
            .map(entry -> new DeadLetter.Draft(new Content.Claims(entry), DELIVERED_TOO_OFTEN))
            .toList());
  }

  /** Keeps a message as it came, and waits while the database is away. */
  public void keepUnreadable(byte[] body, String reason) throws InterruptedException {
    var content = new Content.Unreadable(Base64.getEncoder().encodeToString(body));
    keep(List.of(new DeadLetter.Draft(content, printable(reason))));
  }

  private void keep(List<DeadLetter.Draft> drafts) throws InterruptedException {
    serverWait.untilDone(() -> letters.add(drafts, clock.instant()));
    drafts.forEach(draft -> observer.messageSetAside(draft.reason()));
  }

  /**
   * Keeps claims that can never be recorded as they stand.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if that is not certain
   */
  void keepSetAside(List<SetAsideClaim> claims) {
    if (!claims.isEmpty()) {
      letters.add(claims.stream().map(SetAsideClaim::draft).toList(), clock.instant());
      claims.forEach(claim -> observer.setAside(claim.entry().couponId(), claim.reason()));
    }
  }

  /** What a database keeps and a log can show. */
  static String printable(String reason) {
    var printable = reason.replaceAll("[^ -~]", "?");
    return printable.substring(0, Math.min(printable.length(), MAX_REASON_LENGTH));
  }
}
