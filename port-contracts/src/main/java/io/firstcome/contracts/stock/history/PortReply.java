package io.firstcome.contracts.stock.history;

import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * The reply of a backend to a call: a value, or a refusal that the port declares. Any other
 * exception fails the test.
 */
sealed interface PortReply<T> {

  record Given<T>(T value) implements PortReply<T> {
    @Override
    public String toString() {
      return value.toString();
    }
  }

  record Fenced<T>() implements PortReply<T> {}

  record Unavailable<T>(ServerUnavailableException.Effect effect) implements PortReply<T> {}

  static <T> PortReply<T> of(Supplier<T> call) {
    try {
      return new Given<>(call.get());
    } catch (StockUnavailableException e) {
      return refusal(e);
    } catch (CompletionException e) {
      if (e.getCause() instanceof StockUnavailableException refused) {
        return refusal(refused);
      }
      throw e;
    }
  }

  private static <T> PortReply<T> refusal(StockUnavailableException e) {
    return e instanceof StockFencedException ? new Fenced<>() : new Unavailable<>(e.effect());
  }

  /** The value, or the other one if the call was refused. */
  default T or(T other) {
    return this instanceof Given<T>(T value) ? value : other;
  }
}
