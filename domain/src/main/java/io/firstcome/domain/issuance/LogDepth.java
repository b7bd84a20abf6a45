package io.firstcome.domain.issuance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How much a partition's hand-off log holds.
 *
 * @param entries not yet recorded, one for each batch of claims
 * @param oldest when the oldest of them was accepted, or null where there is none
 */
public record LogDepth(long entries, @Nullable Instant oldest) {}
