package io.firstcome.devservices.server;

import io.firstcome.devservices.process.BinaryCache;
import io.firstcome.devservices.process.ChildProcess;
import io.firstcome.devservices.process.DeployFile;
import io.firstcome.devservices.process.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Redis from the static program in the jar of embedded-redis, or from an installed one. */
public final class LocalRedis extends LocalServer implements RedisServer {

  private static final String VERSION = "7.0.15";

  private final Path program;
  private final Map<String, String> environment;

  /** Uses the program from the jar. */
  public LocalRedis(Path folder) {
    this(folder, bundled());
  }

  public LocalRedis(Path folder, Path program) {
    this(folder, program, Map.of());
  }

  /** Uses the installed program, with this clock. */
  public LocalRedis(Path folder, RedisClock clock) {
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
      Files.writeString(usersFile(), users());
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
   * A write is on disk before its reply, also during a rewrite of the append-only file. No key is
   * evicted. The replication id stays the same as long as nothing is lost ({@code repl-backlog-ttl
   * 0} never releases the backlog: releasing it gives the master a new id).
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
    aclfile "%s"
    """
        .formatted(port(), data, usersFile());
  }

  /** Tests use the default user, which may do everything. */
  private static String users() {
    return "user default on nopass ~* &* +@all\n"
        + DeployFile.read("redis-users.acl").replace("<password>", PASSWORD);
  }

  @Override
  public String serviceUser() {
    return USER;
  }

  @Override
  public String password() {
    return PASSWORD;
  }

  private Path configurationFile() {
    return folder().resolve("redis.conf");
  }

  private Path usersFile() {
    return folder().resolve("users.acl");
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

  /** The installed program, otherwise the one from the jar. */
  public static Path installed() {
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
