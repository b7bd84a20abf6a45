package io.firstcome.application.event;

/**
 * The limits of publishing events.
 *
 * @param batch events that are published together; a database transaction waits for their
 *     confirmation
 */
public record EventLimits(int batch) {

  /** The values for production. */
  public static EventLimits defaults() {
    return new EventLimits(500);
  }
}
