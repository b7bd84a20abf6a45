package io.firstcome.domain.waitingroom;

/**
 * What the number of a waiting room depends on in the stock of its coupon.
 *
 * @param accepts whether the coupon can be claimed: it is active and open, it is not edited, and
 *     the hand-off log is not full
 * @param isAllocated whether each slot was allocated at least once: then only those are served for
 *     whom there is a free slot
 * @param free slots that can be claimed now
 * @param totalQuantity slots of the coupon
 */
public record RoomStock(boolean accepts, boolean isAllocated, int free, int totalQuantity) {}
