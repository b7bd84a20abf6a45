package io.firstcome.bootstrap.rest.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.reconciliation.Discrepancy;
import org.jspecify.annotations.Nullable;

/**
 * A discrepancy, as JSON. Which members are present depends on the kind.
 *
 * @param slot that of the database if the ledger has another one
 * @param userId that of the database if the ledger has another one
 * @param revision of the coupon's terms in the database
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record DiscrepancyJson(
    String kind,
    @Nullable Integer slot,
    @Nullable String userId,
    @Nullable Integer slotInLedger,
    @Nullable String userIdInLedger,
    @Nullable String logEntry,
    @Nullable Integer revision,
    @Nullable Integer revisionInStock) {

  static DiscrepancyJson of(Discrepancy discrepancy) {
    var kind = discrepancy.kind().name();
    return switch (discrepancy) {
      case Discrepancy.MissingRow(UserId user, Slot slot) -> ofUser(kind, user, slot);
      case Discrepancy.ExtraRow(UserId user, Slot slot) -> ofUser(kind, user, slot);
      case Discrepancy.SlotOutOfRange(UserId user, Slot slot) -> ofUser(kind, user, slot);
      case Discrepancy.WrongUser(Slot slot, UserId inLedger, UserId inDatabase) ->
          ofSlots(kind, slot.number(), inDatabase.value(), null, inLedger.value());
      case Discrepancy.WrongSlot(UserId user, Slot inLedger, Slot inDatabase) ->
          ofSlots(kind, inDatabase.number(), user.value(), inLedger.number(), null);
      case Discrepancy.LostSlot(Slot slot) -> ofSlots(kind, slot.number(), null, null, null);
      case Discrepancy.StuckEntry(EntryReference entry) ->
          new DiscrepancyJson(kind, null, null, null, null, entry.entryId(), null, null);
      case Discrepancy.OtherTerms(StockTerms inStock, StockTerms inDatabase) ->
          new DiscrepancyJson(
              kind, null, null, null, null, null, inDatabase.revision(), inStock.revision());
      case Discrepancy.MissingStock() -> ofSlots(kind, null, null, null, null);
    };
  }

  private static DiscrepancyJson ofUser(String kind, UserId user, Slot slot) {
    return ofSlots(kind, slot.number(), user.value(), null, null);
  }

  private static DiscrepancyJson ofSlots(
      String kind,
      @Nullable Integer slot,
      @Nullable String user,
      @Nullable Integer slotInLedger,
      @Nullable String userInLedger) {
    return new DiscrepancyJson(kind, slot, user, slotInLedger, userInLedger, null, null, null);
  }
}
