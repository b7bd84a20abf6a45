package io.firstcome.domain.issuance;

/** Where stock, hand-off log and database of one coupon do not say the same. */
public sealed interface Discrepancy {

  /** The ledger gives the user a slot, and neither log nor database knows of it. */
  record MissingRow(UserId user, Slot slot) implements Discrepancy {}

  /**
   * The database gives the user a slot, and the ledger gives it to nobody; or it went back, and the
   * ledger does not know that the user had it.
   */
  record ExtraRow(UserId user, Slot slot) implements Discrepancy {}

  /** Ledger and database give the slot to two users. */
  record WrongUser(Slot slot, UserId inLedger, UserId inDatabase) implements Discrepancy {}

  /** Ledger and database give the user two slots. */
  record WrongSlot(UserId user, Slot inLedger, Slot inDatabase) implements Discrepancy {}

  /** A user has a slot above the coupon's total. */
  record SlotOutOfRange(UserId user, Slot slot) implements Discrepancy {}

  /** A slot below the next one that nobody has and nobody can get: a hole in the ledger. */
  record LostSlot(Slot slot) implements Discrepancy {}

  /**
   * The stock has a revision that the database does not know, or other terms in the same revision:
   * the database was set back. Or it has an earlier one than it is known to have been given.
   */
  record OtherTerms(StockTerms inStock, StockTerms inDatabase) implements Discrepancy {}

  /** The partition is open, and the stock of a coupon that is not archived is not there. */
  record MissingStock() implements Discrepancy {}

  /** An entry has been in the log for far longer than recording takes. */
  record StuckEntry(EntryReference entry) implements Discrepancy {}
}
