package io.firstcome.domain.webhook;

/** The number of a webhook, from 1, in the order in which they were added. */
public record WebhookId(long number) implements Comparable<WebhookId> {

  public WebhookId {
    if (number < 1) {
      throw new IllegalArgumentException("the number of a webhook must be positive: " + number);
    }
  }

  @Override
  public int compareTo(WebhookId other) {
    return Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return Long.toString(number);
  }
}
