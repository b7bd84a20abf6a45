package io.firstcome.application;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which faults a history can meet with, and how often. Each history has weather of its own, since
 * rare things meet in a history of few kinds of faults and never in one of all.
 */
final class Weather {

  private static final List<Fault> OF_CALLS =
      List.of(
          Fault.CRASH_BEFORE_CALL,
          Fault.CRASH_AFTER_CALL,
          Fault.CALL_LOST,
          Fault.ANSWER_LOST,
          Fault.CALL_LATE);

  /** They destroy what was promised, so that histories without them can be held to more. */
  private static final Set<Fault> OF_DATA =
      EnumSet.of(
          Fault.STOCK_EMPTIED,
          Fault.STOCK_SET_BACK,
          Fault.STOCK_FAILED_BACK,
          Fault.DATABASE_SET_BACK);

  private static final List<Fault> OF_SERVERS =
      List.of(
          Fault.MESSAGES_DOUBLED,
          Fault.MESSAGES_SHUFFLED,
          Fault.MESSAGES_REDELIVERED,
          Fault.MESSAGES_UNCONFIRMED,
          Fault.BROKER_UNROUTED,
          Fault.BROKER_AWAY,
          Fault.BROKER_WIPED,
          Fault.STOCK_RESTARTED,
          Fault.STOCK_EMPTIED,
          Fault.STOCK_SET_BACK,
          Fault.STOCK_FAILED_BACK,
          Fault.DATABASE_AWAY,
          Fault.DATABASE_SET_BACK,
          Fault.RIGHT_LOST);

  private final Schedule schedule;
  private final List<Fault> ofCalls;
  private final List<Fault> ofServers;
  private final double callChance;
  private final double serverChance;
  private boolean calm;

  Weather(Schedule schedule) {
    this.schedule = schedule;
    ofCalls = some(OF_CALLS);
    ofServers = some(OF_SERVERS);
    if (schedule.chance(0.4)) {
      ofServers.removeAll(OF_DATA);
    }
    callChance = schedule.oneOf(List.of(0.005, 0.02, 0.06));
    serverChance = schedule.oneOf(List.of(0.003, 0.01, 0.03));
  }

  private List<Fault> some(List<Fault> faults) {
    var some = new ArrayList<Fault>();
    double share = schedule.oneOf(List.of(0.2, 0.5, 0.8));
    for (var fault : faults) {
      if (schedule.chance(share)) {
        some.add(fault);
      }
    }
    return some;
  }

  /** From now on things go wrong. */
  void begin() {
    calm = false;
  }

  /** From now on nothing goes wrong any more. */
  void clearUp() {
    calm = true;
  }

  boolean isPossible(Fault fault) {
    return !calm && (ofCalls.contains(fault) || ofServers.contains(fault));
  }

  /** What happens to a call, or null for nothing. */
  @Nullable Fault strikesCall(String method) {
    var fault = strikes(ofCalls, callChance);
    // What is held by a connection cannot be given to one that is gone.
    boolean needsConnection = method.equals("tryToRecover");
    boolean losesConnection = fault == Fault.CALL_LATE || fault == Fault.ANSWER_LOST;
    return needsConnection && losesConnection ? null : fault;
  }

  /** What keeps a claim call from the stock, or null for nothing. */
  @Nullable Fault strikesClaimCallBefore() {
    var fault = strikes(ofCalls, callChance * 2);
    return fault == Fault.CALL_LOST || fault == Fault.CALL_LATE ? fault : null;
  }

  boolean strikesClaimAnswer() {
    return strikes(ofCalls, callChance * 2) == Fault.ANSWER_LOST;
  }

  /** What happens to a server, or null for nothing. */
  @Nullable Fault strikesServer() {
    return strikes(ofServers, serverChance);
  }

  private @Nullable Fault strikes(List<Fault> faults, double chance) {
    return calm || faults.isEmpty() || !schedule.chance(chance) ? null : schedule.oneOf(faults);
  }
}
