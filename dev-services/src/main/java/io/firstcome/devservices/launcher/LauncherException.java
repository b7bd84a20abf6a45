package io.firstcome.devservices.launcher;

/** Something the user can understand and act on; its message is all that is shown. */
final class LauncherException extends RuntimeException {

  private static final long serialVersionUID = 1;

  LauncherException(String message) {
    super(message);
  }
}
