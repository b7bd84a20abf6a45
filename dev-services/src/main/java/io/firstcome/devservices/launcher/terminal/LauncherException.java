package io.firstcome.devservices.launcher.terminal;

/** An error that the user can resolve; only its message is shown. */
public final class LauncherException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public LauncherException(String message) {
    super(message);
  }
}
