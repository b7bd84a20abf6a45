package io.firstcome.domain.port;

import org.jspecify.annotations.Nullable;

/**
 * One of the servers that the service stands on did not do, or may not have done, what it was
 * asked.
 */
public abstract class ServerUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What is known of the call's effect. */
  public enum Effect {
    /** Nothing happened, and nothing of it will happen later. */
    NONE,
    /** It may have happened, or may until the call's deadline. Repeating it is safe. */
    UNKNOWN
  }

  private final Effect effect;

  protected ServerUnavailableException(Effect effect, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.effect = effect;
  }

  public Effect effect() {
    return effect;
  }
}
