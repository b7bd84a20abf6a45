package io.firstcome.domain.issuance;

/**
 * How much of a coupon is left.
 *
 * @param free slots that can still be claimed
 * @param next the first slot that was never given; total + 1 where there is none
 */
public record StockLevel(int totalQuantity, int free, int next) {}
