package io.firstcome.application;

import io.firstcome.application.archive.ClearArchivedCoupons;
import io.firstcome.application.event.RelayEvents;
import io.firstcome.application.reconciliation.ArchivedRows;
import io.firstcome.application.recording.DiscardDeadLetters;
import io.firstcome.application.recording.KeepDeadLetters;
import io.firstcome.application.recording.LockedCoupons;
import io.firstcome.application.recording.ReadDeadLetters;
import io.firstcome.application.recording.ReadLateClaims;
import io.firstcome.application.recording.RecordAcceptedClaims;
import io.firstcome.application.recording.RehearseRecording;
import io.firstcome.application.recording.RelayAcceptedClaims;
import io.firstcome.application.recording.ReplayDeadLetters;
import io.firstcome.application.recording.SettleLateClaims;
import io.firstcome.application.recovery.HealMissingStock;
import io.firstcome.application.stock.FencedCoupons;
import io.firstcome.application.stock.FindCouponsBeyondPartitions;
import io.firstcome.application.waitingroom.AdvanceRooms;
import io.firstcome.application.waitingroom.ClaimTurns;
import io.firstcome.application.waitingroom.Draws;
import io.firstcome.application.waitingroom.JoinRoom;
import io.firstcome.application.waitingroom.KeepRooms;
import io.firstcome.application.waitingroom.PresentedTickets;
import io.firstcome.application.waitingroom.ReadChallenge;
import io.firstcome.application.waitingroom.ReadRoom;

/** The use cases between a stock with a hand-off log, the broker and the database. */
public final class HandoffUseCases {

  final FencedCoupons fencedCoupons;

  public final RelayAcceptedClaims relayAcceptedClaims;
  public final RecordAcceptedClaims recordAcceptedClaims;
  public final RehearseRecording rehearseRecording;
  public final SettleLateClaims settleLateClaims;
  public final KeepDeadLetters keepDeadLetters;
  public final ReadLateClaims readLateClaims;
  public final ReadDeadLetters readDeadLetters;
  public final ReplayDeadLetters replayDeadLetters;
  public final DiscardDeadLetters discardDeadLetters;
  public final RelayEvents relayEvents;
  public final HealMissingStock healMissingStock;
  public final ClearArchivedCoupons clearArchivedCoupons;
  public final FindCouponsBeyondPartitions findCouponsBeyondPartitions;
  public final AdvanceRooms advanceRooms;
  public final ClaimTurns claimTurns;
  public final KeepRooms keepRooms;
  public final JoinRoom joinRoom;
  public final ReadChallenge readChallenge;
  public final ReadRoom readRoom;

  HandoffUseCases(
      InstanceSettings settings,
      PersistencePorts database,
      HandoffPorts ports,
      UseCases others,
      FencedCoupons fencedCoupons) {
    var clock = settings.clock();
    var limits = settings.limits();
    var observer = settings.observer();
    var codeKeys = settings.codeKeys();
    var coupons = database.coupons();
    var userCoupons = database.userCoupons();
    var lateClaims = database.lateClaims();
    var lockedCoupons = new LockedCoupons(coupons);

    this.fencedCoupons = fencedCoupons;
    relayAcceptedClaims =
        new RelayAcceptedClaims(ports.log(), ports.publisher(), limits.recording(), observer);
    keepDeadLetters = new KeepDeadLetters(ports.deadLetters(), clock, limits.recording(), observer);
    recordAcceptedClaims =
        new RecordAcceptedClaims(
            others.catalog,
            codeKeys,
            userCoupons,
            ports.log(),
            lateClaims,
            lockedCoupons,
            keepDeadLetters,
            others.arrivals,
            others.keeper,
            clock,
            limits.recording(),
            observer);
    rehearseRecording = new RehearseRecording(userCoupons, others.knownEpochs, codeKeys, clock);
    settleLateClaims =
        new SettleLateClaims(
            others.catalog,
            others.knownEpochs,
            codeKeys,
            others.stock,
            others.endLeases,
            userCoupons,
            lateClaims,
            lockedCoupons,
            keepDeadLetters,
            others.arrivals,
            others.keeper,
            coupon -> new ArchivedRows(coupon, userCoupons, clock, limits.comparison()),
            clock,
            limits.recording(),
            observer);
    readLateClaims = new ReadLateClaims(lateClaims);
    readDeadLetters = new ReadDeadLetters(ports.deadLetters());
    replayDeadLetters =
        new ReplayDeadLetters(
            ports.deadLetters(),
            ports.reader(),
            recordAcceptedClaims,
            keepDeadLetters,
            database.audit(),
            clock,
            limits.recording(),
            observer);
    discardDeadLetters =
        new DiscardDeadLetters(
            ports.deadLetters(), ports.reader(), coupons, database.audit(), clock);
    relayEvents = new RelayEvents(database.outbox(), ports.events(), limits.events(), observer);
    healMissingStock =
        new HealMissingStock(
            fencedCoupons,
            coupons,
            others.stockSync,
            ports.recovery(),
            others.knownEpochs,
            others.keeper,
            observer);
    clearArchivedCoupons =
        new ClearArchivedCoupons(
            coupons, ports.recovery(), others.knownEpochs, settings.partitions(), observer);
    findCouponsBeyondPartitions =
        new FindCouponsBeyondPartitions(coupons, lateClaims, settings.partitionCount());
    advanceRooms =
        new AdvanceRooms(
            others.catalog,
            ports.rooms(),
            others.knownEpochs,
            others.roomReadings,
            limits.rooms(),
            settings.processClock());
    keepRooms =
        new KeepRooms(
            coupons,
            others.catalog,
            ports.rooms(),
            database.rooms(),
            advanceRooms,
            others.knownEpochs,
            others.roomReadings,
            limits.rooms(),
            clock,
            observer);
    joinRoom =
        new JoinRoom(
            others.catalog,
            ports.rooms(),
            ports.challenges(),
            others.knownEpochs,
            codeKeys,
            others.keeper,
            limits.rooms(),
            limits.claims(),
            settings.claims(),
            clock,
            observer);
    readChallenge = new ReadChallenge(others.catalog, ports.challenges(), codeKeys);
    var draws = new Draws(database.rooms(), codeKeys, settings.maps());
    var presentedTickets = new PresentedTickets(settings.maps());
    readRoom =
        new ReadRoom(others.catalog, others.roomReadings, draws, presentedTickets, codeKeys, clock);
    claimTurns =
        new ClaimTurns(
            advanceRooms,
            ports.rooms(),
            others.roomReadings,
            draws,
            presentedTickets,
            codeKeys,
            limits.rooms(),
            settings.maps(),
            observer);
  }
}
