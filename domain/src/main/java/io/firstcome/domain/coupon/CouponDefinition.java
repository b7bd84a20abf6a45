package io.firstcome.domain.coupon;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a coupon by an operator.
 *
 * @param totalQuantity slots, 1 to {@value #MAX_TOTAL_QUANTITY}
 * @param minimumOrder the smallest order it can be used on, in the discount's currency, or null
 * @param returnsToStock whether the slot of a returned or revoked coupon can be claimed again
 * @param waitingRoom the queue that claims must pass, or null for none
 * @param archiveAfter how long after the end of its window and of every validity it is closed and
 *     archived by itself, 0 to 3,650 days, to the second; or null for never
 */
public record CouponDefinition(
    CouponId couponId,
    String name,
    int totalQuantity,
    Discount discount,
    @Nullable Money minimumOrder,
    IssuanceWindow window,
    Validity validity,
    boolean returnsToStock,
    @Nullable WaitingRoom waitingRoom,
    @Nullable Duration archiveAfter) {

  public static final int MAX_TOTAL_QUANTITY = 100_000_000;

  private static final int MAX_NAME_LENGTH = 200;

  private static final Duration MAX_ARCHIVE_AFTER = Duration.ofDays(3_650);

  public CouponDefinition {
    requireName(name);
    requireTotalQuantity(totalQuantity);
    if (archiveAfter != null) {
      archiveAfter = requireArchiveAfter(archiveAfter);
    }
    if (minimumOrder != null && !minimumOrder.currency().equals(discount.currency())) {
      throw new InvalidMemberException(
          "minimumOrder", "must be in " + discount.currency() + ": " + minimumOrder.currency());
    }
    // Stored times are in milliseconds: without truncation, a repeated definition would differ.
    var opensAt = millis(window.opensAt());
    var closesAt = millis(window.closesAt());
    if (!opensAt.isBefore(closesAt)) {
      throw new InvalidMemberException("closesAt", "must be a millisecond after opensAt or more");
    }
    window = new IssuanceWindow(opensAt, closesAt);
    validity =
        switch (validity) {
          case Validity.Until(Instant until) -> {
            if (millis(until).isBefore(closesAt)) {
              throw new InvalidMemberException(
                  "validity.until", "must not be before closesAt: " + until);
            }
            yield new Validity.Until(millis(until));
          }
          case Validity.Days days -> days;
        };
    if (waitingRoom != null && waitingRoom.joinsFrom().isAfter(opensAt)) {
      throw new InvalidMemberException(
          "waitingRoom.joinsFrom", "must not be after opensAt: " + waitingRoom.joinsFrom());
    }
  }

  /**
   * Checks a name: one line of 1 to {@value #MAX_NAME_LENGTH} characters.
   *
   * @return the name
   * @throws IllegalArgumentException if it is not a name
   */
  public static String requireName(String name) {
    return TextLine.require("name", name, MAX_NAME_LENGTH);
  }

  /**
   * Checks a quantity: 1 to {@value #MAX_TOTAL_QUANTITY}.
   *
   * @return the quantity
   * @throws IllegalArgumentException if it is out of range
   */
  public static int requireTotalQuantity(int totalQuantity) {
    if (totalQuantity < 1 || totalQuantity > MAX_TOTAL_QUANTITY) {
      throw new IllegalArgumentException(
          "totalQuantity must be 1 to " + MAX_TOTAL_QUANTITY + ": " + totalQuantity);
    }
    return totalQuantity;
  }

  /**
   * Whether nobody who has a coupon of the other definition loses anything by this one: at most the
   * name, the time of archiving, and the rate, pause and challenge of the waiting room differ, and
   * the quantity is not lower and the end of the window not earlier.
   */
  boolean keepsPromisesOf(CouponDefinition other) {
    if (totalQuantity < other.totalQuantity
        || window.closesAt().isBefore(other.window.closesAt())
        || !validity.equals(other.validity)) {
      return false;
    }
    var extended =
        new CouponDefinition(
            other.couponId,
            name,
            totalQuantity,
            other.discount,
            other.minimumOrder,
            new IssuanceWindow(other.window.opensAt(), window.closesAt()),
            other.validity,
            other.returnsToStock,
            waitingRoom == null || other.waitingRoom == null
                ? other.waitingRoom
                : other
                    .waitingRoom
                    .withPace(waitingRoom.admissionsPerSecond(), waitingRoom.isPaused())
                    .withChallenge(waitingRoom.isChallenged()),
            archiveAfter);
    return equals(extended);
  }

  /** The members that differ, as in JSON; those of a waiting room as in {@link WaitingRoom}. */
  public List<String> differencesFrom(CouponDefinition other) {
    var members = new ArrayList<String>();
    addIf(!name.equals(other.name), "name", members);
    addIf(totalQuantity != other.totalQuantity, "totalQuantity", members);
    addIf(!discount.equals(other.discount), "discount", members);
    addIf(!Objects.equals(minimumOrder, other.minimumOrder), "minimumOrder", members);
    addIf(!window.opensAt().equals(other.window.opensAt()), "opensAt", members);
    addIf(!window.closesAt().equals(other.window.closesAt()), "closesAt", members);
    addIf(!validity.equals(other.validity), "validity", members);
    addIf(returnsToStock != other.returnsToStock, "returnsToStock", members);
    if (waitingRoom != null && other.waitingRoom != null) {
      members.addAll(waitingRoom.differencesFrom(other.waitingRoom));
    } else {
      addIf((waitingRoom == null) != (other.waitingRoom == null), "waitingRoom", members);
    }
    addIf(!Objects.equals(archiveAfter, other.archiveAfter), "archiveAfter", members);
    return members;
  }

  private static void addIf(boolean differs, String member, List<String> members) {
    if (differs) {
      members.add(member);
    }
  }

  /** The same definition for another coupon. */
  public CouponDefinition withId(CouponId otherId) {
    return new CouponDefinition(
        otherId,
        name,
        totalQuantity,
        discount,
        minimumOrder,
        window,
        validity,
        returnsToStock,
        waitingRoom,
        archiveAfter);
  }

  /**
   * Checks the time after which a coupon is archived: 0 to 3,650 days.
   *
   * @return the time to the second
   * @throws IllegalArgumentException if it is out of range
   */
  public static Duration requireArchiveAfter(Duration time) {
    if (time.isNegative() || time.compareTo(MAX_ARCHIVE_AFTER) > 0) {
      throw new IllegalArgumentException(
          "archiveAfter must be 0 to %d days: %s".formatted(MAX_ARCHIVE_AFTER.toDays(), time));
    }
    return time.truncatedTo(ChronoUnit.SECONDS);
  }

  /** The same definition with another quantity. */
  CouponDefinition withTotalQuantity(int newTotalQuantity) {
    return new CouponDefinition(
        couponId,
        name,
        newTotalQuantity,
        discount,
        minimumOrder,
        window,
        validity,
        returnsToStock,
        waitingRoom,
        archiveAfter);
  }

  /** The same definition with another waiting room. */
  CouponDefinition withWaitingRoom(WaitingRoom room) {
    return new CouponDefinition(
        couponId,
        name,
        totalQuantity,
        discount,
        minimumOrder,
        window,
        validity,
        returnsToStock,
        room,
        archiveAfter);
  }

  private static Instant millis(Instant time) {
    return time.truncatedTo(ChronoUnit.MILLIS);
  }
}
