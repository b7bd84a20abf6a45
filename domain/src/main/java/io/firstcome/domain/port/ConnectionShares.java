package io.firstcome.domain.port;

/**
 * The shares of the connections to the database. With a share for each kind of caller, many
 * requests of one kind cannot take connections from claims, from the work that records them, or
 * from another kind.
 */
public interface ConnectionShares {

  /** Who uses a share. */
  enum Share {
    /** Claims and all background work. */
    CLAIMS,
    /** What customers read and do with their coupons. */
    CUSTOMERS,
    /** The redemptions of shops. */
    SHOPS,
    /** The calls of operators. */
    OPERATORS,
    /** What the console shows and does. */
    CONSOLE
  }

  /**
   * Makes the calls of this thread use the share until the result is closed. Other calls use that
   * of {@link Share#CLAIMS}.
   */
  Use use(Share share);

  /** The use of a share, which its thread ends. */
  interface Use extends AutoCloseable {

    @Override
    void close();
  }
}
