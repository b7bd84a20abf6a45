package io.firstcome.adapter.redis;

import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;

/**
 * The text format of a ledger mark: the slot, the negative slot if it went back to the stock, or 0
 * if the claim was rejected.
 */
final class LedgerMarks {

  private LedgerMarks() {}

  static LedgerMark parse(String text) {
    int number = Integer.parseInt(text);
    if (number == 0) {
      return new LedgerMark.WasRejected();
    }
    return number > 0
        ? new LedgerMark.Holds(new Slot(number))
        : new LedgerMark.GaveBack(new Slot(-number));
  }

  static String format(LedgerMark mark) {
    return switch (mark) {
      case LedgerMark.Holds(Slot slot) -> Integer.toString(slot.number());
      case LedgerMark.GaveBack(Slot slot) -> Integer.toString(-slot.number());
      case LedgerMark.WasRejected _ -> "0";
    };
  }
}
