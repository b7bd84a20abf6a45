package io.firstcome.domain.observation;

/** Something that an instance did or found. */
public sealed interface Observation
    permits ClaimObservation,
        ConsistencyObservation,
        OperationObservation,
        RecordingObservation,
        RecoveryObservation {}
