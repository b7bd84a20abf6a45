package io.firstcome.devservices;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Redis from the static program in the jar of embedded-redis, or from an installed one. */
final class LocalRedis extends LocalServer implements RedisServer {

  private static final String VERSION = "7.0.15";

  private final Path program;
  private final Map<String, String> environment;

  /** One from the jar. */
  LocalRedis(Path folder) {
    this(folder, bundled());
  }

  LocalRedis(Path folder, Path program) {
    this(folder, program, Map.of());
  }

  /** The installed one, with that clock. */
  LocalRedis(Path folder, RedisClock clock) {
    this(folder, installed(), clock.environment());
  }

  private LocalRedis(Path folder, Path program, Map<String, String> environment) {
    super("Redis", folder);
    this.program = program;
    this.environment = environment;
  }

  @Override
  void prepare() {
    try {
      Path data = Files.createDirectories(folder().resolve("data"));
      Files.writeString(configurationFile(), configuration(data));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  ChildProcess.Command command() {
    return new ChildProcess.Command(
        List.of(program.toString(), configurationFile().toString()), environment);
  }

  @Override
  boolean answers() {
    try {
      return command("PING").equals("PONG");
    } catch (IllegalStateException e) {
      // Not listening yet, or still loading its data.
      return false;
    }
  }

  /**
   * Always on disk before the answer, also during a rewrite of the file; nothing is ever thrown
   * out; and a replication id that stays the same for as long as nothing was lost (0 is "never
   * release the backlog": releasing it gives the master a new id).
   */
  private String configuration(Path data) {
    return """
    port %d
    bind 127.0.0.1
    protected-mode no
    dir "%s"
    daemonize no
    set-proc-title no
    appendonly yes
    appendfsync always
    no-appendfsync-on-rewrite no
    maxmemory-policy noeviction
    repl-backlog-ttl 0
    save ""
    """
        .formatted(port(), data);
  }

  private Path configurationFile() {
    return folder().resolve("redis.conf");
  }

  /** The program from the jar. */
  static Path bundled() {
    String name =
        "redis-server-%s-%s-%s"
            .formatted(
                VERSION,
                BinaryCache.system().toLowerCase(Locale.ROOT),
                BinaryCache.isArm() ? "arm64" : "amd64");
    return BinaryCache.folder(name, folder -> extract(name, folder.resolve("redis-server")))
        .resolve("redis-server");
  }

  /** The one that is installed on this machine, else that from the jar. */
  static Path installed() {
    return Programs.find("redis-server").orElseGet(LocalRedis::bundled);
  }

  private static void extract(String name, Path program) throws IOException {
    try (InputStream in = LocalRedis.class.getResourceAsStream("/" + name)) {
      if (in == null) {
        throw new IOException("no Redis for this machine on the class path: " + name);
      }
      Files.copy(in, program);
    }
    if (!program.toFile().setExecutable(true)) {
      throw new IOException("cannot make %s executable".formatted(program));
    }
  }
}
