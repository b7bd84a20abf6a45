package io.firstcome.application;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Lets something happen right before a call of a port, as another process might. */
final class Interposed {

  private Interposed() {}

  /**
   * The port, with that step before each call of that method.
   *
   * @throws IllegalArgumentException if the port has no such method
   */
  static <P> P before(Class<P> port, P real, String method, Runnable step) {
    boolean exists = false;
    for (var declared : port.getMethods()) {
      exists |= declared.getName().equals(method);
    }
    if (!exists) {
      throw new IllegalArgumentException("%s has no method %s".formatted(port, method));
    }
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (_, called, arguments) -> {
              if (called.getName().equals(method)) {
                step.run();
              }
              try {
                return called.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
