package io.firstcome.bootstrap.trace;

/** The names of the attributes of spans. No value has a user or a code. */
final class Tags {

  static final String COUPON = "firstcome.coupon";
  static final String OUTCOME = "firstcome.outcome";
  static final String SLOT = "firstcome.slot";

  /** The number of claims of a call or a transaction, sampled or not. */
  static final String CLAIMS = "firstcome.claims";

  /** The number of log entries that were published together. */
  static final String ENTRIES = "firstcome.entries";

  /** Whether log entries had been published before. */
  static final String AGAIN = "firstcome.again";

  static final String PARTITION = "firstcome.partition";
  static final String EPOCH = "firstcome.epoch";

  /** The id of the log entry that has the claim. */
  static final String ENTRY = "firstcome.entry";

  /** When the stock accepted the claim, by its own clock. */
  static final String ACCEPTED_AT = "firstcome.accepted_at";

  private Tags() {}
}
