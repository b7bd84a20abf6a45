package io.firstcome.contracts.stock.history;

import io.firstcome.domain.port.ServerUnavailableException;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * What a backend makes of a call: a value, or a refusal that the port declares. Anything else that
 * it throws is nobody's answer.
 */
sealed interface Answer<T> {

  record Given<T>(T value) implements Answer<T> {
    @Override
    public String toString() {
      return value.toString();
    }
  }

  record Fenced<T>() implements Answer<T> {}

  record Unavailable<T>(ServerUnavailableException.Effect effect) implements Answer<T> {}

  static <T> Answer<T> of(Supplier<T> call) {
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

  private static <T> Answer<T> refusal(StockUnavailableException e) {
    return e instanceof StockFencedException ? new Fenced<>() : new Unavailable<>(e.effect());
  }

  /** The value, or another where the call was refused. */
  default T or(T other) {
    return this instanceof Given<T>(T value) ? value : other;
  }
}
