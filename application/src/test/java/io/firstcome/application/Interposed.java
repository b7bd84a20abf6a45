package io.firstcome.application;

import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.port.PartitionEpochs;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Intercepts the port calls of an instance and runs a step of the test around each of them. */
public final class Interposed {

  /** Runs instead of a call and decides whether to make it. */
  public interface Step {
    public Object around(Method method, List<?> arguments, Callable<Object> call) throws Exception;
  }

  private final Step step;

  public Interposed(Step step) {
    this.step = step;
  }

  /** Makes every call unchanged. */
  public static Interposed nothing() {
    return new Interposed((_, _, call) -> call.call());
  }

  /**
   * Runs the step right before each call of the method.
   *
   * @throws IllegalArgumentException if the port has no such method
   */
  public static Interposed before(Class<?> port, String method, Runnable step) {
    if (Arrays.stream(port.getMethods()).noneMatch(one -> one.getName().equals(method))) {
      throw new IllegalArgumentException("%s has no method %s".formatted(port, method));
    }
    return new Interposed((called, _, call) -> {
      if (called.getDeclaringClass() == port && called.getName().equals(method)) {
        step.run();
      }
      return call.call();
    });
  }

  /**
   * Grants the recovery lease to every caller, even while another one holds it.
   *
   * @param read stale epochs, returned by the first reads; later reads return the current epoch
   */
  public static Interposed withoutLeases(Epoch... read) {
    var earlier = new ArrayDeque<>(List.of(read));
    return new Interposed((method, _, call) ->
        switch (method.getName()) {
          case "tryAcquireLease" -> Optional.<PartitionEpochs.Lease>of(() -> {});
          case "current" -> earlier.isEmpty() ? call.call() : earlier.remove();
          default -> call.call();
        });
  }

  /** The port whose calls are intercepted. */
  public <P> P port(Class<P> port, P real) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (_, method, arguments) ->
                step.around(
                    method,
                    arguments == null ? List.of() : Arrays.asList(arguments),
                    () -> invoke(method, real, arguments))));
  }

  private static Object invoke(Method method, Object real, Object[] arguments) throws Exception {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
