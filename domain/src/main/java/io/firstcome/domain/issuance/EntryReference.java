package io.firstcome.domain.issuance;

import io.firstcome.domain.coupon.Partition;

/**
 * Names one entry of the hand-off log. The epoch belongs to the name: after lost writes a log can
 * give the same id again to other claims.
 */
public record EntryReference(Partition partition, String entryId, Epoch epoch) {}
