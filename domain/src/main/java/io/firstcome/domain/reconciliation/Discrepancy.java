package io.firstcome.domain.reconciliation;

import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;

/** A difference between stock, hand-off log and database of one coupon. */
public sealed interface Discrepancy {

  /** The name of each kind. */
  enum Kind {
    MISSING_ROW,
    EXTRA_ROW,
    WRONG_USER,
    WRONG_SLOT,
    SLOT_OUT_OF_RANGE,
    LOST_SLOT,
    OTHER_TERMS,
    MISSING_STOCK,
    STUCK_ENTRY
  }

  Kind kind();

  /** The ledger gives the user a slot, and neither log nor database has the claim. */
  record MissingRow(UserId user, Slot slot) implements Discrepancy {

    @Override
    public Kind kind() {
      return Kind.MISSING_ROW;
    }
  }

  /**
   * The database gives the user a slot that the ledger gives to no user; or the slot was returned,
   * and the ledger has no such mark of the user.
   */
  record ExtraRow(UserId user, Slot slot) implements Discrepancy {

    @Override
    public Kind kind() {
      return Kind.EXTRA_ROW;
    }
  }

  /** Ledger and database give the slot to two users. */
  record WrongUser(Slot slot, UserId inLedger, UserId inDatabase) implements Discrepancy {

    @Override
    public Kind kind() {
      return Kind.WRONG_USER;
    }
  }

  /** Ledger and database give the user two slots. */
  record WrongSlot(UserId user, Slot inLedger, Slot inDatabase) implements Discrepancy {

    @Override
    public Kind kind() {
      return Kind.WRONG_SLOT;
    }
  }

  /** A user has a slot above the coupon's total. */
  record SlotOutOfRange(UserId user, Slot slot) implements Discrepancy {

    @Override
    public Kind kind() {
      return Kind.SLOT_OUT_OF_RANGE;
    }
  }

  /** A slot below the next one that has no owner and cannot be claimed: a gap in the ledger. */
  record LostSlot(Slot slot) implements Discrepancy {

    @Override
    public Kind kind() {
      return Kind.LOST_SLOT;
    }
  }

  /**
   * The stock has a revision that the database does not know, or other terms in the same revision:
   * the database was set back. Or the stock has an earlier revision than the one that is noted as
   * applied to it.
   */
  record OtherTerms(StockTerms inStock, StockTerms inDatabase) implements Discrepancy {

    @Override
    public Kind kind() {
      return Kind.OTHER_TERMS;
    }
  }

  /** The partition is open, and a coupon that is not archived has no stock. */
  record MissingStock() implements Discrepancy {

    @Override
    public Kind kind() {
      return Kind.MISSING_STOCK;
    }
  }

  /** An entry has been in the log for far longer than recording takes. */
  record StuckEntry(EntryReference entry) implements Discrepancy {

    @Override
    public Kind kind() {
      return Kind.STUCK_ENTRY;
    }
  }
}
