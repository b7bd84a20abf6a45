package io.firstcome.bootstrap.rest.claim;

import io.firstcome.application.claim.ClaimAnswer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** The metric {@code firstcome.claims}: the number of claims by outcome. */
@Component
class CountedClaims {

  private static final Pattern WORD_START = Pattern.compile("(?<=[a-z])(?=[A-Z])");

  private final MeterRegistry registry;

  /** One for each kind of answer. */
  private final ConcurrentHashMap<Class<?>, Counter> counters = new ConcurrentHashMap<>();

  CountedClaims(MeterRegistry registry) {
    this.registry = registry;
  }

  void count(ClaimAnswer answer) {
    Object kind = answer instanceof ClaimAnswer.Refused refused ? refused.outcome() : answer;
    counters.computeIfAbsent(kind.getClass(), this::counter).increment();
  }

  /** {@code SoldOut} is counted as {@code sold-out}, the name of its problem. */
  private Counter counter(Class<?> kind) {
    var name = WORD_START.matcher(kind.getSimpleName()).replaceAll("-").toLowerCase(Locale.ROOT);
    return registry.counter("firstcome.claims", "outcome", name);
  }
}
