package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.firstcome.devservices.service.ServiceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A host beside that of the servers, connected to it by one cable: a network namespace of Linux and
 * a pair of virtual interfaces. It reaches the servers at 127.0.0.1, as loopback of the namespace
 * is off and that address is routed through the cable. Needs root and {@code ip} of iproute2.
 *
 * <p>After {@link #cutOff} every packet is lost: neither side is notified, no connection is reset,
 * and even TCP acknowledgements are missing, which the kernel still sends for a frozen process
 * (SIGSTOP).
 *
 * @see <a href="https://man7.org/linux/man-pages/man8/ip-netns.8.html">ip-netns(8)</a>
 */
public final class SeparateHost implements AutoCloseable {

  private static final String PREFIX = "firstcome-";
  private static final String LOOPBACK = "127.0.0.1";

  /** A hardware address that no interface has, so that packets to it are lost. */
  private static final String UNUSED = "02:00:00:00:00:99";

  private final String name;
  private final String near;
  private final String far;
  private final String nearAddress;
  private final String farAddress;

  private SeparateHost(long id) {
    name = PREFIX + id;
    near = "fc%dn".formatted(id);
    far = "fc%df".formatted(id);
    String network = "10.213.%d.".formatted(id / 64 % 256);
    long first = id % 64 * 4;
    nearAddress = network + (first + 1);
    farAddress = network + (first + 2);
  }

  /** Connects a host to the servers of the world, which from now on accept connections from it. */
  public static SeparateHost of(World world) {
    removeLeftOvers();
    SeparateHost host = new SeparateHost(ProcessHandle.current().pid());
    host.connect();
    ServerData.of(world).admitToDatabase(host.farAddress + "/32");
    return host;
  }

  /** Removes the hosts of killed runs. */
  private static void removeLeftOvers() {
    run("ip netns list")
        .lines()
        .map(line -> line.split(" ", -1)[0])
        .filter(name -> name.startsWith(PREFIX))
        .filter(name -> !Files.exists(Path.of("/proc", name.substring(PREFIX.length()))))
        .forEach(name -> run("ip netns delete " + name));
  }

  private void connect() {
    run("ip netns add " + name);
    run("ip link add %s type veth peer name %s netns %s".formatted(near, far, name));
    run("ip address add %s/30 dev %s".formatted(nearAddress, near));
    run("ip link set %s up".formatted(near));
    run("sysctl -q -w net.ipv4.conf.%s.route_localnet=1".formatted(near));
    inside("ip address add %s/30 dev %s".formatted(farAddress, far));
    inside("ip link set %s up".formatted(far));
    inside("sysctl -q -w net.ipv4.conf.%s.route_localnet=1".formatted(far));
    inside("ip route add %s via %s src %s".formatted(LOOPBACK, nearAddress, farAddress));
  }

  /** From now on every packet between the two hosts is lost. */
  public void cutOff() {
    String lost = "ip neighbour replace %s lladdr %s nud permanent dev %s";
    run(lost.formatted(farAddress, UNUSED, near));
    inside(lost.formatted(nearAddress, UNUSED, far));
  }

  /** Ends {@link #cutOff}, if it is in effect. */
  public void reconnect() {
    run("ip neighbour flush nud permanent dev " + near);
    inside("ip neighbour flush nud permanent dev " + far);
  }

  /** The address of the instances on this host. */
  public String address() {
    return farAddress;
  }

  /** The host in the settings of an instance. */
  ServiceSettings.Host place() {
    return new ServiceSettings.Host(farAddress, List.of("ip", "netns", "exec", name));
  }

  /** Removes the host; its processes must have ended. */
  @Override
  public void close() {
    run("ip netns delete " + name);
  }

  private void inside(String command) {
    run("ip netns exec %s %s".formatted(name, command));
  }

  private static String run(String command) {
    try {
      Process process =
          new ProcessBuilder(command.split(" ", -1)).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException("%s: %s".formatted(command, output));
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException("a separate host needs root and iproute2", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while configuring a separate host", e);
    }
  }
}
