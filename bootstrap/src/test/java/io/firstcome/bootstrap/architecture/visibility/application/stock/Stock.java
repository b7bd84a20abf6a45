package io.firstcome.bootstrap.architecture.visibility.application.stock;

/** Used by another package. */
public final class Stock {

  private final Helper helper = new Helper();

  /** The number of slots. */
  public int slots() {
    return helper.count();
  }
}
