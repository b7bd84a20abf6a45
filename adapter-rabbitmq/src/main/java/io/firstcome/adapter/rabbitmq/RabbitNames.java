package io.firstcome.adapter.rabbitmq;

/** The names of exchange, queues and routing keys that begin with one prefix. */
record RabbitNames(String prefix) {

  /** The direct exchange that all messages of the hand-off go through. */
  String exchange() {
    return prefix + ".handoff";
  }

  /** The topic exchange that other systems bind their queues to. */
  String events() {
    return prefix + ".events";
  }

  /** The topic exchange of the events of rehearsals, which no system should take for real ones. */
  String rehearsalEvents() {
    return prefix + ".rehearsal-events";
  }

  /** The queue of accepted claims; also its routing key. */
  String claims() {
    return prefix + ".claims";
  }

  /** The queue of claim messages that were delivered too often; also its routing key. */
  String deadLetters() {
    return prefix + ".claims.dead";
  }
}
