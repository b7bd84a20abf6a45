package io.firstcome.application.simulation;

import static java.util.Objects.requireNonNull;

import io.firstcome.application.simulation.SimulatedNetwork.Caller;
import io.firstcome.application.simulation.SimulatedNetwork.Server;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of a port, numbered in the order in which calls are made. */
record SimulatedCall(
    long number,
    Caller caller,
    Server server,
    Object target,
    Method method,
    List<@Nullable Object> arguments) {

  String name() {
    return method.getName();
  }

  /** The caller and the name of the call. */
  String words() {
    return caller.name() + " " + name();
  }

  Object argument(int place) {
    return requireNonNull(arguments.get(place));
  }

  /** The locks of its transaction, if it is a call to the database. */
  DatabaseLocks locks() {
    return server == Server.DATABASE ? DatabaseLocks.of(method, arguments) : DatabaseLocks.NONE;
  }

  /** Makes the call, which takes effect. */
  @Nullable Object take() throws Throwable {
    try {
      return method.invoke(target, arguments.toArray());
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Formatted only when the history is printed. */
  record CallTrace(List<@Nullable Object> arguments, @Nullable Object result) {
    /** Without functions, whose texts differ in each process and history. */
    @Override
    public String toString() {
      var shown =
          arguments.stream()
              .map(argument -> argument instanceof Runnable ? "…" : String.valueOf(argument))
              .toList();
      return shown + " -> " + result;
    }
  }
}
