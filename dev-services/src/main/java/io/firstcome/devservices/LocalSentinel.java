package io.firstcome.devservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Sentinel from the program of Redis, which is a quorum of its own. */
final class LocalSentinel extends LocalServer implements SentinelServer {

  private final RedisServer master;

  LocalSentinel(Path folder, RedisServer master) {
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

  /** The times are short, so that tests need not wait for the usual half a minute. */
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
