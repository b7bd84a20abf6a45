package io.firstcome.bootstrap.architecture.visibility.application.stock;

/** Public without need. */
public final class Helper {

  int count() {
    return 1;
  }
}
