package io.firstcome.systemtests.kit;

/** One finding against one invariant of the issuance. */
public record Violation(Invariant invariant, String finding) {

  /** The invariants that are checked from the record and the database. */
  public enum Invariant {
    /** Every answer that names a coupon has a row at rest, with the same id, slot and code. */
    I1,
    /** At most one row per user and one live row per slot; codes distinct. */
    I2,
    /** At rest there are as many live rows as pieces, or as users who asked. */
    I3,
    /** No row without a request. */
    I4,
    /** One id, one code and one slot per user in all answers. */
    I5,
    /** Who is told "sold out" is told the truth. */
    I7,
    /** At rest nothing is on its way or set aside. */
    I8,
    /** Who was answered before another asked has the lower slot. */
    I9
  }

  @Override
  public String toString() {
    return invariant + ": " + finding;
  }
}
