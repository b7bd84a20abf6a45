package io.firstcome.devservices;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something made when first asked for; concurrent callers get the same one. */
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
