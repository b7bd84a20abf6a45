package io.firstcome.domain.coupon;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A fair queue in front of a coupon. Users join it and get a ticket with a number; it serves the
 * tickets at a rate.
 *
 * @param mode what happens when a user is served
 * @param order in which users are served
 * @param joinsFrom when users can join for the first time
 * @param admissionsPerSecond users who are served in a second, 1 to 1,000,000
 * @param admissionTime how long a user who is served can claim the coupon, in whole seconds, from
 *     10 seconds to one day
 * @param isPaused whether nobody is served until an operator resumes it
 * @param isChallenged whether users must pass a challenge before they join, which keeps programs
 *     out
 */
public record WaitingRoom(
    Mode mode,
    Order order,
    Instant joinsFrom,
    int admissionsPerSecond,
    Duration admissionTime,
    boolean isPaused,
    boolean isChallenged) {

  private static final int MAX_ADMISSIONS_PER_SECOND = 1_000_000;
  private static final Duration MIN_ADMISSION_TIME = Duration.ofSeconds(10);
  private static final Duration MAX_ADMISSION_TIME = Duration.ofDays(1);

  /** What happens when a user is served. */
  public enum Mode {
    /** The user gets an admission, with which the user can claim the coupon. */
    ADMIT,
    /** The room claims the coupon for the user. */
    CLAIM
  }

  /** The order in which users are served. */
  public enum Order {
    /** That of their tickets. */
    ARRIVAL,
    /**
     * Those who join before the draw, which follows the opening, in a random order; others later.
     */
    DRAW
  }

  public WaitingRoom {
    // Stored times are in milliseconds: without truncation, a repeated definition would differ.
    joinsFrom = joinsFrom.truncatedTo(ChronoUnit.MILLIS);
    if (admissionsPerSecond < 1 || admissionsPerSecond > MAX_ADMISSIONS_PER_SECOND) {
      throw new InvalidMemberException(
          "waitingRoom.admissionsPerSecond",
          "must be 1 to %d: %d".formatted(MAX_ADMISSIONS_PER_SECOND, admissionsPerSecond));
    }
    if (admissionTime.compareTo(MIN_ADMISSION_TIME) < 0
        || admissionTime.compareTo(MAX_ADMISSION_TIME) > 0
        || !admissionTime.equals(admissionTime.truncatedTo(ChronoUnit.SECONDS))) {
      throw new InvalidMemberException(
          "waitingRoom.admissionTime",
          "must be %s to %s, in whole seconds: %s"
              .formatted(MIN_ADMISSION_TIME, MAX_ADMISSION_TIME, admissionTime));
    }
  }

  /** The same room with another rate and pause, which an operator can change at any time. */
  public WaitingRoom withPace(int perSecond, boolean paused) {
    return new WaitingRoom(mode, order, joinsFrom, perSecond, admissionTime, paused, isChallenged);
  }

  /** The same room with a challenge or without, which an operator can change at any time. */
  public WaitingRoom withChallenge(boolean challenged) {
    return new WaitingRoom(
        mode, order, joinsFrom, admissionsPerSecond, admissionTime, isPaused, challenged);
  }

  /**
   * How this room differs from another one: the members that can change at any time with their
   * values, if only they differ, and otherwise the name of the room, as in JSON.
   */
  List<String> differencesFrom(WaitingRoom other) {
    var others = other.withPace(admissionsPerSecond, isPaused).withChallenge(isChallenged);
    if (!equals(others)) {
      return List.of("waitingRoom");
    }
    var members = new ArrayList<String>();
    if (admissionsPerSecond != other.admissionsPerSecond) {
      members.add("waitingRoom.admissionsPerSecond=" + admissionsPerSecond);
    }
    if (isPaused != other.isPaused) {
      members.add("waitingRoom.paused=" + isPaused);
    }
    if (isChallenged != other.isChallenged) {
      members.add("waitingRoom.challenge=" + isChallenged);
    }
    return members;
  }

  /** Places that are served in a second: none in a pause. */
  public int pace() {
    return isPaused ? 0 : admissionsPerSecond;
  }
}
