package io.firstcome.systemtests.kit;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.devservices.service.ServiceSettings.Host;
import io.firstcome.systemtests.agent.AgentArguments;
import io.firstcome.systemtests.agent.HaltMarker;
import io.firstcome.systemtests.agent.HaltPoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Another instance of the service that halts or freezes at a point of its code. */
public final class HaltedInstance implements AutoCloseable {

  private static final Duration HALT_LIMIT = Duration.ofSeconds(60);

  private final ServiceProcess process;
  private final Path marker;
  private final boolean freezes;

  private HaltedInstance(ServiceProcess process, Path marker, boolean freezes) {
    this.process = process;
    this.marker = marker;
    this.freezes = freezes;
  }

  /** Starts an instance that halts at the point, and waits until it is ready. */
  public static HaltedInstance at(World world, HaltPoint point) {
    return at(world, point, Map.of());
  }

  /** The same with additional settings. */
  public static HaltedInstance at(World world, HaltPoint point, Map<String, String> environment) {
    return start(world, Host.LOOPBACK, "halted", point, environment, false).ready();
  }

  /** The same for a point that it may reach before it is ready: does not wait until it is. */
  public static HaltedInstance atStart(
      World world, HaltPoint point, Map<String, String> environment) {
    return start(world, Host.LOOPBACK, "halted", point, environment, false);
  }

  /**
   * Starts an instance that is frozen (SIGSTOP) at the point and keeps all its connections, and
   * waits until it is ready.
   */
  public static HaltedInstance frozenAt(World world, HaltPoint point) {
    return start(world, Host.LOOPBACK, "frozen", point, Map.of(), true).ready();
  }

  /** The same on another host, with additional settings. */
  public static HaltedInstance frozenAt(
      World world, SeparateHost host, HaltPoint point, Map<String, String> environment) {
    return start(world, host.place(), "far-frozen", point, environment, true).ready();
  }

  private static HaltedInstance start(
      World world,
      Host host,
      String kind,
      HaltPoint point,
      Map<String, String> environment,
      boolean freezes) {
    String name = "%s-%s-%s".formatted(kind, point.method(), point.moment());
    Path marker = world.folder().resolve(name + "." + kind);
    AgentArguments fault =
        freezes ? AgentArguments.freezeAt(point, marker) : AgentArguments.haltAt(point, marker);
    return new HaltedInstance(world.startFaulty(name, host, environment, fault), marker, freezes);
  }

  private HaltedInstance ready() {
    World.ready(process);
    return this;
  }

  public ServiceProcess process() {
    return process;
  }

  /** Waits until it has reached the point, and has ended or is frozen. */
  public HaltMarker awaitHalt() {
    Await.until(
        HALT_LIMIT,
        "the halt of the instance",
        () -> Files.exists(marker) && (freezes ? isFrozen() : !process.isAlive()));
    try {
      return HaltMarker.parse(Files.readString(marker));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the process is stopped by a signal now. */
  public boolean isFrozen() {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
          .anyMatch(line -> line.startsWith("State:") && line.contains("T (stopped)"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Continues a frozen instance, and waits until it is ready. */
  public void thaw() {
    process.resume();
    World.ready(process);
  }

  /** Starts it again, to halt at the same point; does not wait until it is ready. */
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
