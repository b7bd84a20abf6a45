package io.firstcome.application.waitingroom;

import io.firstcome.domain.clock.ProcessClock;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.waitingroom.RoomReading;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The latest reading of each waiting room by this instance. Thread-safe. */
public final class RoomReadings {

  /**
   * How old a reading may be to decide with it whether an admission is valid. Rooms are read twice
   * a second.
   */
  static final Duration CURRENT_FOR = Duration.ofSeconds(3);

  private final ProcessClock clock;
  private final ConcurrentHashMap<CouponId, Seen> latest = new ConcurrentHashMap<>();

  public RoomReadings(ProcessClock clock) {
    this.clock = clock;
  }

  private record Seen(RoomReading reading, long nanos) {}

  /**
   * A reading.
   *
   * @param now the present time by the stock's clock, as this process estimates it: while the stock
   *     is not reachable, too
   */
  public record Latest(RoomReading reading, Instant now) {}

  /** The latest reading of any age; empty if there is none, or the room is not open. */
  public Optional<Latest> latest(CouponId couponId) {
    return Optional.ofNullable(latest.get(couponId))
        .map(seen ->
            new Latest(
                seen.reading(),
                seen.reading()
                    .state()
                    .progress()
                    .number()
                    .since()
                    .plusNanos(clock.nanos() - seen.nanos())));
  }

  /** The latest reading if it is current. */
  public Optional<RoomReading> current(CouponId couponId) {
    return Optional.ofNullable(latest.get(couponId))
        .filter(seen -> clock.nanos() - seen.nanos() < CURRENT_FOR.toNanos())
        .map(Seen::reading);
  }

  /**
   * Stores a reading.
   *
   * @param askedNanos when the call that read it was made
   */
  void put(CouponId couponId, RoomReading reading, long askedNanos) {
    latest.put(couponId, new Seen(reading, askedNanos));
  }

  void remove(CouponId couponId) {
    latest.remove(couponId);
  }

  /** Forgets the readings of all other rooms. */
  void retain(Collection<CouponId> couponIds) {
    latest.keySet().retainAll(couponIds);
  }
}
