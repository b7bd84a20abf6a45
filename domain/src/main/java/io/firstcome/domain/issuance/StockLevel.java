package io.firstcome.domain.issuance;

/**
 * How many slots of a coupon are left.
 *
 * @param free slots that can still be claimed
 * @param next the first slot that was never allocated; total + 1 if there is none
 */
public record StockLevel(int totalQuantity, int free, int next) {}
