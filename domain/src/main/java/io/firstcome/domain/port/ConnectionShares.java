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
    OPERATORS
  }

  /**
   * Runs the work, whose calls on this thread use the share. Calls outside such work use that of
   * {@link Share#CLAIMS}.
   *
   * @throws E what the work throws
   */
  <E extends Exception> void using(Share share, Work<E> work) throws E;

  /** Work that calls the ports of the database. */
  interface Work<E extends Exception> {
    void run() throws E;
  }
}
