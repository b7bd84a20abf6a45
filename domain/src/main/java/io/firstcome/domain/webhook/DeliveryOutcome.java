package io.firstcome.domain.webhook;

import java.time.Duration;

/** What an attempt to deliver a message led to. */
public sealed interface DeliveryOutcome {

  /** The longest text of a result. */
  int LONGEST_RESULT = 200;

  /** The status of the answer, or why there was none; 1 to {@value #LONGEST_RESULT} characters. */
  String result();

  /** It succeeded. */
  record Delivered(String result) implements DeliveryOutcome {}

  /**
   * It failed and is made again.
   *
   * @param pause until then the lane rests
   */
  record Failed(String result, Duration pause) implements DeliveryOutcome {}

  /** It failed once too often; the lane goes on with the next delivery. */
  record GivenUp(String result) implements DeliveryOutcome {}
}
