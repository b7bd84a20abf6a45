package io.firstcome.systemtests.kit;

import io.firstcome.devservices.ServiceProcess;
import io.firstcome.systemtests.agent.AgentArguments;
import io.firstcome.systemtests.agent.HaltMarker;
import io.firstcome.systemtests.agent.HaltPoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A further instance of the service whose JVM halts at a point of its code. */
public final class HaltedInstance implements AutoCloseable {

  private static final Duration HALT_LIMIT = Duration.ofSeconds(60);

  private final ServiceProcess process;
  private final Path marker;

  private HaltedInstance(ServiceProcess process, Path marker) {
    this.process = process;
    this.marker = marker;
  }

  /** Starts it and waits until it takes requests. */
  public static HaltedInstance at(World world, HaltPoint point) {
    return at(world, point, Map.of());
  }

  /** The same with settings of its own. */
  public static HaltedInstance at(World world, HaltPoint point, Map<String, String> environment) {
    String name = "halted-%s-%s".formatted(point.method(), point.moment());
    Path marker = world.folder().resolve(name + ".halted");
    AgentArguments fault = AgentArguments.haltAt(point, marker);
    return new HaltedInstance(World.ready(world.startFaulty(name, environment, fault)), marker);
  }

  public ServiceProcess process() {
    return process;
  }

  /** Waits until it has come to the point and is gone. */
  public HaltMarker awaitHalt() {
    Await.until(HALT_LIMIT, "the halt", () -> Files.exists(marker) && !process.isAlive());
    try {
      return HaltMarker.parse(Files.readString(marker));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it once more, to halt at the same point; does not wait for it. */
  public void restart() {
    try {
      Files.delete(marker);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    process.restart();
  }

  @Override
  public void close() {
    process.close();
  }
}
