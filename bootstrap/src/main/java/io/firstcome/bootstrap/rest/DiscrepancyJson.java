package io.firstcome.bootstrap.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.domain.issuance.Discrepancy;
import io.firstcome.domain.issuance.EntryReference;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import org.jspecify.annotations.Nullable;

/**
 * A discrepancy, as JSON. Which members there are depends on the kind.
 *
 * @param slot by the database where both name one
 * @param userId by the database where both name one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record DiscrepancyJson(
    String kind,
    @Nullable Integer slot,
    @Nullable String userId,
    @Nullable Integer slotInLedger,
    @Nullable String userIdInLedger,
    @Nullable String logEntry) {

  static DiscrepancyJson of(Discrepancy discrepancy) {
    return switch (discrepancy) {
      case Discrepancy.MissingRow(UserId user, Slot slot) -> ofUser("MISSING_ROW", user, slot);
      case Discrepancy.ExtraRow(UserId user, Slot slot) -> ofUser("EXTRA_ROW", user, slot);
      case Discrepancy.SlotOutOfRange(UserId user, Slot slot) ->
          ofUser("SLOT_OUT_OF_RANGE", user, slot);
      case Discrepancy.WrongUser(Slot slot, UserId inLedger, UserId inDatabase) ->
          new DiscrepancyJson(
              "WRONG_USER", slot.number(), inDatabase.value(), null, inLedger.value(), null);
      case Discrepancy.WrongSlot(UserId user, Slot inLedger, Slot inDatabase) ->
          new DiscrepancyJson(
              "WRONG_SLOT", inDatabase.number(), user.value(), inLedger.number(), null, null);
      case Discrepancy.LostSlot(Slot slot) ->
          new DiscrepancyJson("LOST_SLOT", slot.number(), null, null, null, null);
      case Discrepancy.StuckEntry(EntryReference entry) ->
          new DiscrepancyJson("STUCK_ENTRY", null, null, null, null, entry.entryId());
    };
  }

  private static DiscrepancyJson ofUser(String kind, UserId user, Slot slot) {
    return new DiscrepancyJson(kind, slot.number(), user.value(), null, null, null);
  }
}
