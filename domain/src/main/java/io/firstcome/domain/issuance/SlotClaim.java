package io.firstcome.domain.issuance;

/** A user and the slot that the stock backend allocated to them. */
public record SlotClaim(UserId userId, Slot slot) {}
