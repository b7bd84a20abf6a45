package io.firstcome.benchmark.bench.service;

import static java.util.Objects.requireNonNull;

import io.firstcome.domain.observation.IssuanceObserver;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Switches the traces of the service on and off while it runs, so that both loads of a round have
 * the same process. Only the note when a request began is made in both.
 */
final class TraceSwitch implements BeanPostProcessor {

  private volatile boolean on = true;
  private @Nullable IssuanceObserver metered;

  void turn(boolean newOn) {
    on = newOn;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (name.equals("meteredIssuance")) {
      metered = (IssuanceObserver) bean;
    }
    return switch (name) {
      case "tracedIssuance" -> switched((IssuanceObserver) bean);
      case "tracedRequests" -> switched(bean);
      default -> bean;
    };
  }

  /** The traced observer passes observations on to the other one itself. */
  private IssuanceObserver switched(IssuanceObserver traced) {
    var untraced = requireNonNull(metered, "the observer that is passed on to comes first");
    return observation -> (on ? traced : untraced).observe(observation);
  }

  /** Its methods return nothing. Their type is one of the service's own. */
  private Object switched(Object requests) {
    return Proxy.newProxyInstance(
        requests.getClass().getClassLoader(),
        requests.getClass().getInterfaces(),
        (proxy, method, arguments) ->
            on || method.getReturnType() != void.class ? method.invoke(requests, arguments) : null);
  }
}
