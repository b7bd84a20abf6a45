package io.firstcome.devservices.launcher;

/** How a part of a running {@code up} ends before it is started again. */
enum Ending {
  /** Cleanly. */
  STOP("/restart/", "restarted"),
  /** By SIGKILL. */
  KILL("/kill/", "was killed and started again");

  private final String path;
  private final String done;

  Ending(String path, String done) {
    this.path = path;
    this.done = done;
  }

  /** Of the requests to the {@link ControlServer}, before the label of the part. */
  String path() {
    return path;
  }

  /** What happened to the part, for a line of text. */
  String done() {
    return done;
  }
}
