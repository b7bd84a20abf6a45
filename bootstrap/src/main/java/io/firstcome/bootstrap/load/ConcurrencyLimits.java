package io.firstcome.bootstrap.load;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import io.firstcome.bootstrap.metric.Metric;
import io.firstcome.bootstrap.wiring.LoadLimits;
import io.firstcome.bootstrap.wiring.MaxConnections;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Limits how many requests of each kind are handled at a time. The limit adapts to the machine: it
 * grows by one with each request that is handled in time, and shrinks by a tenth with each one that
 * takes longer (additive increase, multiplicative decrease, as in TCP).
 *
 * <p>A claim beyond the limit is refused at once. Other requests wait ({@link AdmissionQueue}), and
 * are refused if they have waited too long: a client that is refused connects and asks again, which
 * takes the processor from claims, and one that waits does not. But each one that waits has a
 * connection, so at most three eighths of the connections may wait ({@link WaitingPlaces}); further
 * requests are refused at once.
 */
@Component
class ConcurrencyLimits {

  private static final double SHRINKS_TO = 0.9;

  private final Limiter<Void> claims;

  /** Of all other kinds. */
  private final Map<RequestKind, AdmissionQueue> queues = new EnumMap<>(RequestKind.class);

  private final WaitingPlaces places;

  ConcurrencyLimits(LoadLimits limits, MaxConnections connections, MeterRegistry metrics) {
    claims = limiter(RequestKind.CLAIM, limits.leastClaims(), limits.claimTime(), limits, metrics);
    for (var kind : EnumSet.complementOf(EnumSet.of(RequestKind.CLAIM))) {
      var limiter = limiter(kind, limits.leastRequests(), limits.requestTime(), limits, metrics);
      queues.put(kind, new AdmissionQueue(limiter, limits.waitingTime()));
    }
    places = new WaitingPlaces(connections.queued(), queues.size());
  }

  private static Limiter<Void> limiter(
      RequestKind kind, int least, Duration time, LoadLimits limits, MeterRegistry metrics) {
    var limit =
        AIMDLimit.newBuilder()
            .minLimit(least)
            .initialLimit(least)
            .maxLimit(limits.mostConcurrent())
            .backoffRatio(SHRINKS_TO)
            .timeout(time.toNanos(), TimeUnit.NANOSECONDS)
            .build();
    Metric.REQUESTS_CONCURRENT_LIMIT.gauge(metrics, limit, AIMDLimit::getLimit, kind.label());
    return SimpleLimiter.newBuilder().limit(limit).build();
  }

  /**
   * The permit to handle a request, or empty if too many are being handled.
   *
   * @param requester null if it is not known
   */
  Optional<Permit> acquire(RequestKind kind, @Nullable Requester requester) {
    var queue = queues.get(kind);
    if (queue == null) {
      return claims.acquire(null).map(listener -> new Permit(listener::onSuccess));
    }
    var place = places.occupy(kind, requester).orElse(null);
    if (place == null) {
      return queue.acquireAtOnce();
    }
    try (place) {
      return queue.acquire(turn(kind, requester));
    }
  }

  /**
   * A request that may be of any of many customers has a turn of its own, also if a shop sends it
   * for them.
   */
  private static Object turn(RequestKind kind, @Nullable Requester requester) {
    if (requester == null) {
      return new Object();
    }
    return switch (requester.type()) {
      case ADDRESS -> new Object();
      case SHOP -> kind == RequestKind.SHOP ? requester : new Object();
      case CUSTOMER, OPERATOR -> requester;
    };
  }
}
