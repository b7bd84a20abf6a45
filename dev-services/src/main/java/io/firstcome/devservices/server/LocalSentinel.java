package io.firstcome.devservices.server;

import io.firstcome.devservices.process.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A single Sentinel with a quorum of 1, run by the Redis program. */
public final class LocalSentinel extends LocalServer implements SentinelServer {

  private final RedisServer master;

  public LocalSentinel(Path folder, RedisServer master) {
    super("Redis Sentinel", folder);
    this.master = master;
  }

  @Override
  void prepare() {
    try {
      Files.writeString(configurationFile(), configuration());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  ChildProcess.Command command() {
    return new ChildProcess.Command(
        List.of(LocalRedis.bundled().toString(), configurationFile().toString(), "--sentinel"));
  }

  @Override
  boolean answers() {
    try {
      return command("PING").equals("PONG");
    } catch (IllegalStateException e) {
      // Not listening yet.
      return false;
    }
  }

  /** The timeouts are short, so that tests do not wait for the default of half a minute. */
  private String configuration() {
    return """
    port %d
    bind 127.0.0.1
    dir "%s"
    daemonize no
    sentinel monitor %s %s %d 1
    sentinel down-after-milliseconds %s 1000
    sentinel failover-timeout %s 5000
    """
        .formatted(port(), folder(), MASTER, master.host(), master.port(), MASTER, MASTER);
  }

  private Path configurationFile() {
    return folder().resolve("sentinel.conf");
  }
}
