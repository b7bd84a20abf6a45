package io.firstcome.systemtests.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of the agent: {@code halt=<point>;marker=<file>}, {@code
 * freeze=<point>;marker=<file>}, or {@code clock=<duration>}.
 *
 * @param point where the JVM halts or freezes, or null for nowhere
 * @param marker the file written at the point; if it exists already, the JVM passes the point
 * @param freezes whether the process is frozen (SIGSTOP) at the point instead of ended
 * @param clockShift by how much the clock is wrong
 */
public record AgentArguments(
    @Nullable HaltPoint point, @Nullable Path marker, boolean freezes, Duration clockShift) {

  public AgentArguments {
    if ((point == null) != (marker == null)) {
      throw new IllegalArgumentException("a point needs a marker, and a marker needs a point");
    }
  }

  public static AgentArguments haltAt(HaltPoint point, Path marker) {
    return new AgentArguments(point, marker.toAbsolutePath(), false, Duration.ZERO);
  }

  public static AgentArguments freezeAt(HaltPoint point, Path marker) {
    return new AgentArguments(point, marker.toAbsolutePath(), true, Duration.ZERO);
  }

  public static AgentArguments clockWrongBy(Duration shift) {
    return new AgentArguments(null, null, false, shift);
  }

  /** Reads what {@link #text()} writes. */
  static AgentArguments parse(String text) {
    Map<String, String> values = new HashMap<>();
    for (var part : text.split(";", -1)) {
      var pair = part.split("=", 2);
      if (pair.length < 2 || values.put(pair[0], pair[1]) != null) {
        throw new IllegalArgumentException("not in the form name=value;…: '%s'".formatted(text));
      }
    }
    var freezePoint = values.remove("freeze");
    var haltPoint = values.remove("halt");
    var point = haltPoint == null ? freezePoint : haltPoint;
    var marker = values.remove("marker");
    var clock = values.remove("clock");
    if (!values.isEmpty()) {
      throw new IllegalArgumentException("unknown arguments: " + values.keySet());
    }
    return new AgentArguments(
        point == null ? null : HaltPoint.parse(point),
        marker == null ? null : Path.of(marker),
        freezePoint != null,
        clock == null ? Duration.ZERO : Duration.parse(clock));
  }

  /** The text that {@link #parse} reads. */
  public String text() {
    return point == null
        ? "clock=" + clockShift
        : "%s=%s;marker=%s;clock=%s"
            .formatted(freezes ? "freeze" : "halt", point, marker, clockShift);
  }
}
