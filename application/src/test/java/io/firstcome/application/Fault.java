package io.firstcome.application;

/** What can go wrong in a simulated history. */
enum Fault {
  CRASH_BEFORE_CALL("an instance dies before a call"),
  CRASH_AFTER_CALL("an instance dies after a call's effect and before its answer"),
  CALL_LOST("a call never reaches its server"),
  ANSWER_LOST("a call takes effect and its answer is lost"),
  CALL_LATE("a call that its caller has given up takes effect later"),
  CALL_PAST_DEADLINE("a claim call reaches the stock after its deadline"),
  CALL_OVERTAKEN("a late call takes effect after calls that were made after it"),
  MESSAGES_DOUBLED("all waiting messages are delivered twice"),
  MESSAGES_SHUFFLED("the waiting messages change their order"),
  MESSAGES_REDELIVERED("messages go back to the queue while recorders hold them"),
  MESSAGES_UNCONFIRMED("a publishing call fails after the broker has taken a part"),
  BROKER_UNROUTED("no queue takes the messages"),
  BROKER_AWAY("the broker is away"),
  BROKER_WIPED("the broker loses all messages"),
  STOCK_RESTARTED("the stock server restarts with all data"),
  STOCK_EMPTIED("the stock server forgets everything"),
  STOCK_SET_BACK("the stock server loses its last writes"),
  STOCK_FAILED_BACK("an older master is the stock server again"),
  STOCK_CLOCK_JUMPS("the clock of the stock server jumps by days"),
  CLAIM_MEETS_JUMP("a claim call is refused as the stock's clock has jumped since it was sent"),
  WRONG_CLOCK_FOLLOWED("claims are accepted by a clock that has been wrong for long"),
  SCRIPTS_LOST("the stock server loses its scripts"),
  CLAIM_WITHOUT_SCRIPT("a claim call is refused as the stock does not know its script"),
  CALL_WITHOUT_SCRIPT("another call is refused as the stock has lost its script twice"),
  DATABASE_CLOCK_JUMPS("the clock of the database jumps by days"),
  DATABASE_AWAY("the database is away"),
  DATABASE_SET_BACK("the database is restored from an older backup"),
  CHANGES_LOST("the database loses operators' changes, and no recovery shows it"),
  RECORDER_FROZEN("an instance freezes with a transaction open that writes claims"),
  RECOVERER_FROZEN("an instance freezes with a transaction open that raises an epoch"),
  PUBLISHER_FROZEN("an instance freezes with a transaction open that publishes events"),
  FROZEN_GOES_ON("a frozen instance goes on before its transaction is ended"),
  FROZEN_SESSION_ENDED("the database ends the transaction of a frozen instance"),
  FROZEN_TO_THE_END("an instance stays frozen while the others come to rest"),
  LOCK_NOT_GIVEN("a call gives up waiting for a lock"),
  COUPON_LOCKED("somebody holds a lock on the row of a coupon"),
  RIGHT_LOST("a recoverer loses the right to recover and goes on"),
  RECOVERER_OVERTAKEN("a recoverer finds that another or a fault has overtaken it");

  private final String words;

  Fault(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
