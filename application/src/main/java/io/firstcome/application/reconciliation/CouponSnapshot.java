package io.firstcome.application.reconciliation;

import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.LogDepth;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.SlotSet;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.reconciliation.Discrepancy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What was read of the stock, the log and the rows of one coupon. Nothing in it is changed any
 * more.
 *
 * @param terms the discrepancy of its terms, if there is one
 * @param used slots with an owner in a live row or in the ledger
 * @param free slots that were returned and can be claimed again
 * @param inLedger slots of ledger marks, whether or not they were returned
 * @param unconfirmed rows that the ledger does not confirm, with its marks of their users
 * @param withoutRow users who hold a slot in the ledger and have no row
 * @param missing users who hold a slot in the ledger, and of whom neither log nor database has the
 *     claim
 * @param unrecorded the number of claims without a row that are in the log, or are late claims
 * @param oldest when the oldest unrecorded claim was accepted; null if there is none
 * @param stuck entries of the coupon that have been in the log for too long
 * @param duplicateUsers users with several rows
 */
record CouponSnapshot(
    Optional<Discrepancy> terms,
    StockLevel level,
    SlotSet used,
    SlotSet free,
    SlotSet inLedger,
    SortedMap<SlotOwner, Optional<LedgerMark>> unconfirmed,
    Map<UserId, Slot> withoutRow,
    SortedMap<Slot, Set<UserId>> missing,
    long unrecorded,
    @Nullable Instant oldest,
    LogDepth log,
    List<EntryReference> stuck,
    long duplicateUsers) {}
