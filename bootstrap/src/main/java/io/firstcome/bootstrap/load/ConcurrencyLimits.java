package io.firstcome.bootstrap.load;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import io.firstcome.bootstrap.wiring.LoadLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * Limits how many requests of each kind are handled at a time. The limit adapts to the machine: it
 * grows by one with each request that is handled in time, and shrinks by a tenth with each one that
 * takes longer (additive increase, multiplicative decrease, as in TCP).
 */
@Component
class ConcurrencyLimits {

  private static final double SHRINKS_TO = 0.9;

  private final Map<RequestKind, Limiter<Void>> limiters = new EnumMap<>(RequestKind.class);

  ConcurrencyLimits(LoadLimits limits, MeterRegistry metrics) {
    for (var kind : RequestKind.values()) {
      var time = kind == RequestKind.CLAIM ? limits.claimTime() : limits.requestTime();
      var limit =
          AIMDLimit.newBuilder()
              .minLimit(limits.leastConcurrent())
              .initialLimit(limits.leastConcurrent())
              .maxLimit(limits.mostConcurrent())
              .backoffRatio(SHRINKS_TO)
              .timeout(time.toNanos(), TimeUnit.NANOSECONDS)
              .build();
      metrics.gauge(
          "firstcome.requests.concurrent.limit",
          Tags.of("kind", kind.label()),
          limit,
          AIMDLimit::getLimit);
      limiters.put(kind, SimpleLimiter.newBuilder().limit(limit).build());
    }
  }

  /** The permit to handle a request, or empty if too many are being handled. */
  Optional<Permit> acquire(RequestKind kind) {
    return Objects.requireNonNull(limiters.get(kind)).acquire(null).map(Permit::new);
  }
}
