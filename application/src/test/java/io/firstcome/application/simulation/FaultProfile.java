package io.firstcome.application.simulation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fault profile of a history: which faults are possible, and how often. Each history has its
 * own profile, because rare combinations occur in a history with few kinds of faults and not in one
 * with all.
 */
final class FaultProfile {

  private static final List<SimulatedFault> OF_CALLS =
      List.of(
          SimulatedFault.CRASH_BEFORE_CALL,
          SimulatedFault.CRASH_AFTER_CALL,
          SimulatedFault.CALL_LOST,
          SimulatedFault.ANSWER_LOST,
          SimulatedFault.CALL_LATE);

  /** Faults that lose data. Histories without them are checked more strictly. */
  private static final Set<SimulatedFault> OF_DATA =
      EnumSet.of(
          SimulatedFault.STOCK_EMPTIED,
          SimulatedFault.STOCK_SET_BACK,
          SimulatedFault.STOCK_FAILED_BACK,
          SimulatedFault.DATABASE_SET_BACK);

  /** Whether a server loses data by the fault. */
  static boolean isOfData(SimulatedFault fault) {
    return OF_DATA.contains(fault);
  }

  /** Faults that are possible only at certain moments are listed several times, here and below. */
  private static final List<SimulatedFault> OF_MESSAGES =
      List.of(
          SimulatedFault.MESSAGES_DOUBLED,
          SimulatedFault.MESSAGES_DOUBLED,
          SimulatedFault.MESSAGES_DOUBLED,
          SimulatedFault.MESSAGES_SHUFFLED,
          SimulatedFault.MESSAGES_SHUFFLED,
          SimulatedFault.MESSAGES_SHUFFLED,
          SimulatedFault.MESSAGES_REDELIVERED,
          SimulatedFault.MESSAGES_REDELIVERED,
          SimulatedFault.MESSAGES_REDELIVERED,
          SimulatedFault.MESSAGES_REDELIVERED,
          SimulatedFault.MESSAGES_UNCONFIRMED,
          SimulatedFault.BROKER_UNROUTED,
          SimulatedFault.BROKER_UNREACHABLE,
          SimulatedFault.BROKER_WIPED);

  private static final List<SimulatedFault> OF_STOCK =
      List.of(
          SimulatedFault.STOCK_RESTARTED,
          SimulatedFault.STOCK_EMPTIED,
          SimulatedFault.STOCK_SET_BACK,
          SimulatedFault.STOCK_SET_BACK,
          SimulatedFault.STOCK_FAILED_BACK,
          SimulatedFault.STOCK_FAILED_BACK,
          SimulatedFault.SCRIPTS_LOST,
          SimulatedFault.LEASE_LOST,
          SimulatedFault.LEASE_LOST);

  private static final List<SimulatedFault> OF_DATABASE =
      List.of(
          SimulatedFault.DATABASE_UNREACHABLE,
          SimulatedFault.DATABASE_SET_BACK,
          SimulatedFault.DATABASE_SET_BACK,
          SimulatedFault.DATABASE_SET_BACK,
          SimulatedFault.DATABASE_SET_BACK,
          SimulatedFault.DATABASE_SET_BACK,
          SimulatedFault.DATABASE_SET_BACK,
          SimulatedFault.DATABASE_SET_BACK,
          SimulatedFault.DATABASE_SET_BACK,
          SimulatedFault.STOCK_RESTARTED,
          SimulatedFault.LEASE_LOST);

  /** Faults by which no server loses data. */
  private static final List<SimulatedFault> HARMLESS =
      List.of(
          SimulatedFault.DATABASE_UNREACHABLE,
          SimulatedFault.STOCK_RESTARTED,
          SimulatedFault.SCRIPTS_LOST,
          SimulatedFault.LEASE_LOST);

  private static final List<SimulatedFault> ALL =
      Stream.of(OF_STOCK, OF_DATABASE).flatMap(List::stream).distinct().toList();

  /** The chance that a fault which is not possible yet stays pending for one more step. */
  private static final double STAYS_PENDING = 0.997;

  private final Schedule schedule;
  private final List<SimulatedFault> ofCalls;
  private final List<SimulatedFault> ofMessages;
  private final List<SimulatedFault> ofServers;
  private final List<SimulatedFault> ofClocks;
  private final double longStep;
  private final boolean freezing;
  private final List<SimulatedFault> pendingFaults = new ArrayList<>();
  private final double callChance;
  private final double serverChance;
  private boolean quiet;

  FaultProfile(Schedule schedule) {
    this.schedule = schedule;
    ofCalls = some(OF_CALLS);
    ofMessages = schedule.oneOf(List.of(List.of(), OF_MESSAGES, some(OF_MESSAGES)));
    ofServers =
        schedule.oneOf(
            List.of(List.of(), HARMLESS, OF_STOCK, OF_STOCK, OF_DATABASE, OF_DATABASE, some(ALL)));
    callChance = schedule.oneOf(List.of(0.01, 0.03, 0.1));
    serverChance = schedule.oneOf(List.of(0.001, 0.004, 0.012));
    ofClocks = schedule.chance(0.3) ? List.of(SimulatedFault.STOCK_CLOCK_JUMPS) : List.of();
    longStep = hasJumps() ? schedule.oneOf(List.of(0.02, 0.2, 0.2)) : 0.05;
    freezing = schedule.chance(0.5);
  }

  private List<SimulatedFault> some(List<SimulatedFault> faults) {
    return faults.stream().filter(fault -> schedule.chance(0.5)).toList();
  }

  /** From now on faults occur. */
  void begin() {
    quiet = false;
    if (schedule.chance(0.5)) {
      pendingFaults.addAll(ofClocks);
    }
  }

  /** From now on no faults occur. */
  void endFaults() {
    quiet = true;
  }

  boolean isPossible(SimulatedFault fault) {
    return !quiet && ofCalls.contains(fault);
  }

  /** Whether the stock's clock jumps in this history. */
  boolean hasJumps() {
    return !ofClocks.isEmpty();
  }

  /** The probability that a step takes seconds. */
  double longStep() {
    return longStep;
  }

  /** Whether an instance freezes within the transaction that it has just begun. */
  boolean freezes() {
    return !quiet && freezing && schedule.chance(callChance * 10);
  }

  /** The fault of a call, or null. */
  @Nullable SimulatedFault strikesCall(SimulatedCall call) {
    var fault = strikes(ofCalls, callChance);
    boolean impossible =
        switch (call.name()) {
          // A lease is held by a connection, so it cannot be granted without one.
          case "tryAcquireLease" ->
              fault == SimulatedFault.CALL_LATE || fault == SimulatedFault.ANSWER_LOST;
          // Its transaction ends with the caller.
          case "publishNext" -> fault == SimulatedFault.CALL_LATE;
          case "erase" ->
              fault == SimulatedFault.CALL_LATE
                  && call.server() == SimulatedNetwork.Server.DATABASE;
          default -> false;
        };
    return impossible ? null : fault;
  }

  /** The fault that keeps a claim call from the stock, or null. */
  @Nullable SimulatedFault strikesClaimCallBefore() {
    var fault = strikes(ofCalls, callChance * 4);
    return fault == SimulatedFault.CALL_LOST || fault == SimulatedFault.CALL_LATE ? fault : null;
  }

  boolean strikesClaimAnswer() {
    return strikes(ofCalls, callChance * 4) == SimulatedFault.ANSWER_LOST;
  }

  /** The faults of servers that are pending until they are possible. */
  List<SimulatedFault> pendingFaults() {
    pendingFaults.removeIf(fault -> quiet || !schedule.chance(STAYS_PENDING));
    for (var faults : List.of(ofMessages, ofServers, ofClocks)) {
      var fault = strikes(faults, faults.size() * serverChance);
      if (fault != null && !pendingFaults.contains(fault)) {
        pendingFaults.add(fault);
      }
    }
    return List.copyOf(pendingFaults);
  }

  void hasStruck(SimulatedFault fault) {
    pendingFaults.remove(fault);
  }

  private @Nullable SimulatedFault strikes(List<SimulatedFault> faults, double chance) {
    return quiet || faults.isEmpty() || !schedule.chance(chance) ? null : schedule.oneOf(faults);
  }
}
