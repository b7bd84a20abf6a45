package io.firstcome.systemtests.kit;

/** One violation of one invariant of the issuance. */
public record Violation(Invariant invariant, String finding) {

  /** The invariants that are checked from the record and the database. */
  public enum Invariant {
    /**
     * When all work is done, every answer with a coupon has a row with the same id, slot and code.
     */
    I1,
    /** At most one row per user and one live row per slot; codes distinct. */
    I2,
    /** When all work is done, there are min(N, eligible users) live rows. */
    I3,
    /** No row without a request. */
    I4,
    /** One id, one code and one slot per user in all answers. */
    I5,
    /** A "sold out" answer is true. */
    I7,
    /** When all work is done, log, pending list, queues and dead letters are empty. */
    I8,
    /** A user whose answer came before another user claimed has the lower slot. */
    I9
  }

  @Override
  public String toString() {
    return invariant + ": " + finding;
  }
}
