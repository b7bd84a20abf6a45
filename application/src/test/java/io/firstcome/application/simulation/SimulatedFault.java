package io.firstcome.application.simulation;

/** The faults of a simulated history. */
enum SimulatedFault {
  CRASH_BEFORE_CALL("an instance dies before a call"),
  CRASH_AFTER_CALL("an instance dies after a call's effect and before its reply"),
  CALL_LOST("a call never reaches its server"),
  ANSWER_LOST("a call takes effect and its reply is lost"),
  CALL_LATE("a call takes effect after its caller's timeout"),
  CALL_PAST_DEADLINE("a claim call reaches the stock after its deadline"),
  CALL_OVERTAKEN("a late call takes effect after calls that were made after it"),
  MESSAGES_DOUBLED("all waiting messages are delivered twice"),
  MESSAGES_SHUFFLED("the waiting messages change their order"),
  MESSAGES_REDELIVERED("messages are requeued while recorders hold them"),
  MESSAGES_UNCONFIRMED("a publish call fails after the broker has accepted a part"),
  BROKER_UNROUTED("the broker cannot route the messages"),
  BROKER_UNREACHABLE("the broker is not reachable"),
  BROKER_WIPED("the broker loses all messages"),
  STOCK_RESTARTED("the stock server restarts with all data"),
  STOCK_EMPTIED("the stock server loses all data"),
  STOCK_SET_BACK("the stock server loses its last writes"),
  STOCK_FAILED_BACK("a replaced master becomes the stock server again"),
  REFUSED_UNDER_LEASE("a claim is refused as sold out without a call"),
  SLOT_WITHHELD("a slot became free while an instance may refuse claims without a call"),
  STOCK_CLOCK_JUMPS("the clock of the stock server jumps by days"),
  CLAIM_DURING_JUMP("a claim call is refused because the stock's clock jumped after it was sent"),
  WRONG_CLOCK_FOLLOWED("claims are accepted by a clock that has been wrong for long"),
  SCRIPTS_LOST("the stock server loses its scripts"),
  CLAIM_WITHOUT_SCRIPT("a claim call is refused because the stock has lost its script"),
  CALL_WITHOUT_SCRIPT("another call is refused because the stock has lost its script twice"),
  DATABASE_CLOCK_JUMPS("the clock of the database jumps by days"),
  DATABASE_UNREACHABLE("the database is not reachable"),
  DATABASE_SET_BACK("the database is restored from an older backup"),
  CHANGES_LOST("the database loses changes by operators, and no recovery detects it"),
  RECORDER_FROZEN("an instance freezes in a transaction that writes claims"),
  RECOVERER_FROZEN("an instance freezes in a transaction that raises an epoch"),
  PUBLISHER_FROZEN("an instance freezes in a transaction that publishes events"),
  FROZEN_RESUMES("a frozen instance resumes before its transaction is ended"),
  FROZEN_SESSION_ENDED("the database ends the transaction of a frozen instance"),
  FROZEN_TO_THE_END("an instance stays frozen until the others have no pending work"),
  LOCK_NOT_GRANTED("a call times out while it waits for a lock"),
  COUPON_LOCKED("the row of a coupon is locked"),
  LEASE_LOST("a recoverer loses the recovery lease and continues"),
  RECOVERER_OVERTAKEN("a recoverer is rejected because another one or a fault has overtaken it");

  private final String words;

  SimulatedFault(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
