package io.firstcome.domain.retention;

import io.firstcome.domain.issuance.UserId;
import java.time.Instant;

/** An accepted claim that has lost its slot. */
public record RejectedClaim(UserId userId, Instant rejectedAt) {}
