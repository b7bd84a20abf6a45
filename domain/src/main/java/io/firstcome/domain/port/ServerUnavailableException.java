package io.firstcome.domain.port;

import org.jspecify.annotations.Nullable;

/** A server that the service depends on did not execute a call, or may not have executed it. */
public abstract class ServerUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What is known of the call's effect. */
  public enum Effect {
    /** The call had no effect and will have none. */
    NONE,
    /** The call may have had an effect, or may until its deadline. A retry is safe. */
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
