package io.firstcome.domain.issuance;

/**
 * How much of a coupon is left.
 *
 * @param free slots that can still be claimed
 */
public record StockLevel(int totalQuantity, int free) {}
