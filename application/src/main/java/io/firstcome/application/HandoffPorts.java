package io.firstcome.application;

import io.firstcome.domain.port.ChallengeVerifier;
import io.firstcome.domain.port.ClaimMessageReader;
import io.firstcome.domain.port.ClaimPublisher;
import io.firstcome.domain.port.ClaimQueue;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.EventPublisher;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.WaitingRooms;

/**
 * The ports of a stock that hands accepted claims off to the database, and of the broker between
 * them.
 */
public record HandoffPorts(
    StockRecovery recovery,
    SoldOutLeases leases,
    WaitingRooms rooms,
    ChallengeVerifier challenges,
    HandoffLog log,
    ClaimPublisher publisher,
    ClaimQueue queue,
    ClaimMessageReader reader,
    DeadLetters deadLetters,
    EventPublisher events) {}
