package io.firstcome.devservices.launcher.demo;

import java.util.List;

/** The result of a demo. */
public sealed interface Result permits DemoResult, RoomResult {

  /** The differences from an exact result; empty if the run was exact. */
  List<String> faults();

  /** The last line of the demo, for scripts. */
  String json();
}
