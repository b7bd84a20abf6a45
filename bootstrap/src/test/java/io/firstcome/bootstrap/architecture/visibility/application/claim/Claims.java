package io.firstcome.bootstrap.architecture.visibility.application.claim;

import io.firstcome.bootstrap.architecture.visibility.application.stock.Stock;

/** Uses a class of another package. */
final class Claims {

  private final Stock stock = new Stock();

  int slots() {
    return stock.slots();
  }
}
