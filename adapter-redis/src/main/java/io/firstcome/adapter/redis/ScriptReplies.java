package io.firstcome.adapter.redis;

import io.firstcome.domain.issuance.Slot;

/**
 * Reads what scripts reply for one claim: a slot or a ticket times a hundred, plus a code for the
 * outcome.
 */
final class ScriptReplies {

  private static final int CODES = 100;

  private ScriptReplies() {}

  static int code(long reply) {
    return (int) (reply % CODES);
  }

  static Slot slot(long reply) {
    return new Slot(number(reply));
  }

  static int number(long reply) {
    return (int) (reply / CODES);
  }
}
