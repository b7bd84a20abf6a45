package io.firstcome.application;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
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

  /** Whether a server forgets what it knew. */
  static boolean isOfData(Fault fault) {
    return OF_DATA.contains(fault);
  }

  /** What can only happen at certain moments is named more often, here and below. */
  private static final List<Fault> OF_MESSAGES =
      List.of(
          Fault.MESSAGES_DOUBLED,
          Fault.MESSAGES_DOUBLED,
          Fault.MESSAGES_DOUBLED,
          Fault.MESSAGES_SHUFFLED,
          Fault.MESSAGES_SHUFFLED,
          Fault.MESSAGES_SHUFFLED,
          Fault.MESSAGES_REDELIVERED,
          Fault.MESSAGES_REDELIVERED,
          Fault.MESSAGES_REDELIVERED,
          Fault.MESSAGES_REDELIVERED,
          Fault.MESSAGES_UNCONFIRMED,
          Fault.BROKER_UNROUTED,
          Fault.BROKER_AWAY,
          Fault.BROKER_WIPED);

  private static final List<Fault> OF_STOCK =
      List.of(
          Fault.STOCK_RESTARTED,
          Fault.STOCK_EMPTIED,
          Fault.STOCK_SET_BACK,
          Fault.STOCK_SET_BACK,
          Fault.STOCK_FAILED_BACK,
          Fault.STOCK_FAILED_BACK,
          Fault.SCRIPTS_LOST,
          Fault.RIGHT_LOST,
          Fault.RIGHT_LOST);

  private static final List<Fault> OF_DATABASE =
      List.of(
          Fault.DATABASE_AWAY,
          Fault.DATABASE_SET_BACK,
          Fault.DATABASE_SET_BACK,
          Fault.DATABASE_SET_BACK,
          Fault.DATABASE_SET_BACK,
          Fault.DATABASE_SET_BACK,
          Fault.DATABASE_SET_BACK,
          Fault.DATABASE_SET_BACK,
          Fault.DATABASE_SET_BACK,
          Fault.STOCK_RESTARTED,
          Fault.RIGHT_LOST);

  /** Nothing of these ever makes a server forget. */
  private static final List<Fault> HARMLESS =
      List.of(Fault.DATABASE_AWAY, Fault.STOCK_RESTARTED, Fault.SCRIPTS_LOST, Fault.RIGHT_LOST);

  private static final List<Fault> ALL =
      Stream.of(OF_STOCK, OF_DATABASE).flatMap(List::stream).distinct().toList();

  /** Of a fault that cannot happen yet: it is awaited for some hundreds of steps. */
  private static final double PATIENCE = 0.997;

  private final Schedule schedule;
  private final List<Fault> ofCalls;
  private final List<Fault> ofMessages;
  private final List<Fault> ofServers;
  private final List<Fault> ofClocks;
  private final double longStep;
  private final boolean freezing;
  private final List<Fault> threats = new ArrayList<>();
  private final double callChance;
  private final double serverChance;
  private boolean calm;

  Weather(Schedule schedule) {
    this.schedule = schedule;
    ofCalls = some(OF_CALLS);
    ofMessages = schedule.oneOf(List.of(List.of(), OF_MESSAGES, some(OF_MESSAGES)));
    ofServers =
        schedule.oneOf(
            List.of(List.of(), HARMLESS, OF_STOCK, OF_STOCK, OF_DATABASE, OF_DATABASE, some(ALL)));
    callChance = schedule.oneOf(List.of(0.01, 0.03, 0.1));
    serverChance = schedule.oneOf(List.of(0.001, 0.004, 0.012));
    ofClocks = schedule.chance(0.3) ? List.of(Fault.STOCK_CLOCK_JUMPS) : List.of();
    longStep = hasJumps() ? schedule.oneOf(List.of(0.02, 0.2, 0.2)) : 0.05;
    freezing = schedule.chance(0.5);
  }

  private List<Fault> some(List<Fault> faults) {
    return faults.stream().filter(fault -> schedule.chance(0.5)).toList();
  }

  /** From now on things go wrong. */
  void begin() {
    calm = false;
    if (schedule.chance(0.5)) {
      threats.addAll(ofClocks);
    }
  }

  /** From now on nothing goes wrong any more. */
  void clearUp() {
    calm = true;
  }

  boolean isPossible(Fault fault) {
    return !calm && ofCalls.contains(fault);
  }

  /** Whether the stock's clock jumps in this history. */
  boolean hasJumps() {
    return !ofClocks.isEmpty();
  }

  /** How likely a step takes seconds. */
  double longStep() {
    return longStep;
  }

  /** Whether an instance freezes within the transaction that it has just begun. */
  boolean freezes() {
    return !calm && freezing && schedule.chance(callChance * 10);
  }

  /** What happens to a call, or null for nothing. */
  @Nullable Fault strikesCall(String method) {
    var fault = strikes(ofCalls, callChance);
    boolean cannotBe =
        switch (method) {
          // What is held by a connection cannot be given to one that is gone.
          case "tryToRecover" -> fault == Fault.CALL_LATE || fault == Fault.ANSWER_LOST;
          // Its transaction goes on only with the caller.
          case "publishNext" -> fault == Fault.CALL_LATE;
          default -> false;
        };
    return cannotBe ? null : fault;
  }

  /** What keeps a claim call from the stock, or null for nothing. */
  @Nullable Fault strikesClaimCallBefore() {
    var fault = strikes(ofCalls, callChance * 4);
    return fault == Fault.CALL_LOST || fault == Fault.CALL_LATE ? fault : null;
  }

  boolean strikesClaimAnswer() {
    return strikes(ofCalls, callChance * 4) == Fault.ANSWER_LOST;
  }

  /** What happens to servers as soon as it can. */
  List<Fault> threats() {
    threats.removeIf(threat -> calm || !schedule.chance(PATIENCE));
    for (var faults : List.of(ofMessages, ofServers, ofClocks)) {
      var fault = strikes(faults, faults.size() * serverChance);
      if (fault != null && !threats.contains(fault)) {
        threats.add(fault);
      }
    }
    return List.copyOf(threats);
  }

  void hasStruck(Fault fault) {
    threats.remove(fault);
  }

  private @Nullable Fault strikes(List<Fault> faults, double chance) {
    return calm || faults.isEmpty() || !schedule.chance(chance) ? null : schedule.oneOf(faults);
  }
}
