package io.firstcome.devservices;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A value that is created on first use; concurrent callers get the same value. */
final class Once<T> {

  private final Supplier<T> maker;
  private @Nullable T made;

  Once(Supplier<T> maker) {
    this.maker = maker;
  }

  synchronized T get() {
    T value = made;
    if (value == null) {
      value = maker.get();
      made = value;
    }
    return value;
  }

  synchronized Optional<T> ifMade() {
    return Optional.ofNullable(made);
  }
}
