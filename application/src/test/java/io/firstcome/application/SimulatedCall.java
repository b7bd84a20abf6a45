package io.firstcome.application;

import static java.util.Objects.requireNonNull;

import io.firstcome.application.SimulatedNetwork.Caller;
import io.firstcome.application.SimulatedNetwork.Server;
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

  /** Who makes which call. */
  String words() {
    return caller.name() + " " + name();
  }

  Object argument(int place) {
    return requireNonNull(arguments.get(place));
  }

  /** What its transaction holds, if it is a call to the database. */
  DatabaseLocks locks() {
    return server == Server.DATABASE ? DatabaseLocks.of(method, arguments) : DatabaseLocks.NONE;
  }

  /** Lets it take effect. */
  @Nullable Object take() throws Throwable {
    try {
      return method.invoke(target, arguments.toArray());
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Put into words only if somebody reads the history. */
  record Told(List<@Nullable Object> arguments, @Nullable Object result) {
    @Override
    public String toString() {
      return arguments + " -> " + result;
    }
  }
}
