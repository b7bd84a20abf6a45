package io.firstcome.application.server;

import io.firstcome.domain.clock.ClockEstimate;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.port.DatabaseClock;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerTime;
import io.firstcome.domain.port.ServerUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Follows the database's clock, and compares with it the wall clock of this instance and the clocks
 * of other servers.
 *
 * <p>No decision uses the time of an instance's wall clock. It only checks the database's clock: if
 * they contradict each other, one of the two is wrong, and nothing irreversible is done.
 */
public final class CompareClocks {

  /** The name of this instance's wall clock. */
  public static final String OWN = "this instance";

  private final DatabaseClock database;
  private final InstantSource own;
  private final List<ServerTime> others;
  private final IssuanceObserver observer;
  private final Map<String, Difference> lastSeen = new TreeMap<>();
  private volatile List<Difference> latest = List.of();

  /**
   * @param own the wall clock of this instance
   */
  public CompareClocks(
      DatabaseClock database,
      InstantSource own,
      List<ServerTime> others,
      IssuanceObserver observer) {
    this.database = database;
    this.own = own;
    this.others = List.copyOf(others);
    this.observer = observer;
  }

  /**
   * How far a clock is from the database's.
   *
   * @param ahead negative if it is behind
   */
  public record Difference(String clock, Duration ahead) {

    static Difference between(String clock, Instant database, Instant time) {
      return new Difference(clock, Duration.between(database, time));
    }

    /** Whether it is more than {@link ClockEstimate#MAX_DIFFERENCE}. */
    public boolean isTooLarge() {
      return ahead.abs().compareTo(ClockEstimate.MAX_DIFFERENCE) > 0;
    }

    /** All of it in one sentence, for operators. */
    public String sentence() {
      return String.format(
          Locale.ROOT,
          "the clock of %s is %.1f s %s that of PostgreSQL, and should not differ by more than %d s",
          clock,
          ahead.abs().toMillis() / 1_000.0,
          ahead.isNegative() ? "behind" : "ahead of",
          ClockEstimate.MAX_DIFFERENCE.toSeconds());
    }
  }

  /** The difference of each clock when it was last compared; none before the first comparison. */
  public List<Difference> latest() {
    return latest;
  }

  /** A sentence for each clock that differs by too much. */
  public List<String> doubts() {
    return latest.stream().filter(Difference::isTooLarge).map(Difference::sentence).toList();
  }

  /**
   * Reads the clock of every server. One that does not answer keeps its last difference.
   *
   * @throws DatabaseUnavailableException if the database did not answer; nothing was compared
   */
  public synchronized void compare() {
    database.follow();
    var compared = new ArrayList<Difference>();
    compared.add(Difference.between(OWN, database.instant(), own.instant()));
    for (var other : others) {
      try {
        var time = other.ask();
        compared.add(Difference.between(other.server(), database.instant(), time));
      } catch (ServerUnavailableException e) {
        // The components that use the server report this.
      }
    }
    compared.forEach(this::note);
    latest = List.copyOf(lastSeen.values());
  }

  private void note(Difference now) {
    var before = lastSeen.put(now.clock(), now);
    boolean wasTooLarge = before != null && before.isTooLarge();
    if (now.isTooLarge() && !wasTooLarge) {
      observer.observe(new OperationObservation.ClockDiffers(now.clock(), now.ahead()));
    } else if (wasTooLarge && !now.isTooLarge()) {
      observer.observe(new OperationObservation.ClockAgrees(now.clock()));
    }
  }

  /**
   * The database's time, if the wall clock of this instance does not contradict it.
   *
   * @throws DatabaseUnavailableException if the database's time is not known
   */
  public Optional<Instant> undoubted() {
    var now = database.instant();
    return ClockEstimate.agree(now, own.instant()) ? Optional.of(now) : Optional.empty();
  }
}
