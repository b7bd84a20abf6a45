package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.port.IssuanceObserver;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Records the failures that are reported to an observer. */
final class FailedRounds {

  private final Queue<String> rounds = new ConcurrentLinkedQueue<>();
  private final IssuanceObserver observer =
      (IssuanceObserver)
          Proxy.newProxyInstance(
              IssuanceObserver.class.getClassLoader(),
              new Class<?>[] {IssuanceObserver.class},
              this::note);

  IssuanceObserver observer() {
    return observer;
  }

  List<String> rounds() {
    return List.copyOf(rounds);
  }

  private @Nullable Object note(Object proxy, Method method, Object @Nullable [] arguments) {
    if (method.getName().equals("roundFailed") && arguments != null) {
      rounds.add((String) arguments[0]);
    }
    return null;
  }
}
