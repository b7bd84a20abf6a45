package io.firstcome.devservices.server;

import io.firstcome.devservices.process.ChildProcess;
import io.firstcome.devservices.process.LeftOver;
import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.process.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A private node of the RabbitMQ that is installed on this machine, with its own Erlang port mapper
 * (epmd), so that it does not interfere with a node that runs as a system service.
 */
public final class LocalRabbitMq extends LocalServer implements AmqpServer {

  /** Needed only on a busy machine: normally epmd starts immediately. */
  private static final Duration EPMD_LIMIT = Duration.ofSeconds(30);

  /** {@code rabbitmqctl} starts its own Erlang VM, which takes seconds on a busy machine. */
  private static final Duration CONTROL_LIMIT = Duration.ofSeconds(60);

  private final RabbitMqInstallation installation;
  private final int distributionPort;
  private final int epmdPort;
  private @Nullable ChildProcess epmd;

  public LocalRabbitMq(Path folder, RabbitMqInstallation installation) {
    super("RabbitMQ", folder);
    this.installation = installation;
    endLeftOverEpmd(folder());
    this.distributionPort = Ports.kept(folder().resolve("distribution-port"));
    this.epmdPort = Ports.kept(folder().resolve("epmd-port"));
  }

  @Override
  public Kind kind() {
    return Kind.RABBITMQ;
  }

  @Override
  public String user() {
    return USER;
  }

  @Override
  public String password() {
    return PASSWORD;
  }

  @Override
  void prepare() {
    try {
      Files.createDirectories(folder().resolve("home"));
      Files.writeString(folder().resolve("enabled_plugins"), "[].\n");
      Files.writeString(folder().resolve("rabbitmq-env.conf"), "");
      Files.writeString(folder().resolve("advanced.config"), "[].\n");
      Files.writeString(folder().resolve("rabbitmq.conf"), configuration());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    startEpmd();
  }

  /** Starts epmd in the foreground. If the node started it, it would not be a child of this JVM. */
  private void startEpmd() {
    ended();
    endLeftOverEpmd(folder());
    ChildProcess mapper =
        ChildProcess.start(
            new ChildProcess.Command(
                List.of(
                    installation.epmd().toString(),
                    "-port",
                    Integer.toString(epmdPort),
                    "-address",
                    host())),
            folder(),
            epmdPidFile(folder()),
            folder().resolve("epmd.log"));
    epmd = mapper;
    boolean inTime =
        Waiting.until(EPMD_LIMIT, () -> !mapper.isAlive() || Ports.isListening(epmdPort));
    if (!inTime || !mapper.isAlive()) {
      throw new IllegalStateException(
          "epmd %s on port %d"
              .formatted(inTime ? "ended before it listened" : "does not listen", epmdPort));
    }
  }

  @Override
  void ended() {
    ChildProcess running = epmd;
    if (running != null) {
      running.kill();
      epmd = null;
    }
  }

  @Override
  ChildProcess.Command command() {
    return new ChildProcess.Command(List.of(installation.server().toString()), environment());
  }

  @Override
  public void control(String... words) {
    List<String> line = new ArrayList<>();
    line.add(installation.server().resolveSibling("rabbitmqctl").toString());
    line.addAll(List.of(words));
    ChildProcess control =
        ChildProcess.start(
            new ChildProcess.Command(line, environment()),
            folder(),
            folder().resolve("rabbitmqctl.pid"),
            log().file());
    boolean ended = Waiting.until(CONTROL_LIMIT, () -> !control.isAlive());
    control.kill();
    if (!ended || control.exitCode() != 0) {
      throw new IllegalStateException(
          "rabbitmqctl %s failed; the end of %s:%n%s"
              .formatted(words[0], log().file(), log().tail()));
    }
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    // Removes the variables that are meant for an installed node.
    System.getenv().keySet().stream()
        .filter(name -> name.startsWith("RABBITMQ_") || name.startsWith("ERL_"))
        .forEach(name -> environment.put(name, ""));
    environment.put("HOME", folder().resolve("home").toString());
    environment.put("ERL_EPMD_PORT", Integer.toString(epmdPort));
    environment.put("ERL_EPMD_ADDRESS", host());
    // Part of the data path, so the name is the same at each start; localhost always resolves.
    environment.put("RABBITMQ_NODENAME", "firstcome-%d@localhost".formatted(distributionPort));
    environment.put("RABBITMQ_NODE_IP_ADDRESS", host());
    environment.put("RABBITMQ_NODE_PORT", Integer.toString(port()));
    environment.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
    environment.put("RABBITMQ_MNESIA_BASE", folder().resolve("data").toString());
    environment.put("RABBITMQ_LOG_BASE", folder().resolve("logs").toString());
    environment.put("RABBITMQ_CONFIG_FILE", folder().resolve("rabbitmq.conf").toString());
    environment.put("RABBITMQ_CONF_ENV_FILE", folder().resolve("rabbitmq-env.conf").toString());
    environment.put(
        "RABBITMQ_ADVANCED_CONFIG_FILE", folder().resolve("advanced.config").toString());
    environment.put(
        "RABBITMQ_ENABLED_PLUGINS_FILE", folder().resolve("enabled_plugins").toString());
    // Makes the script exec the Erlang VM, so that the child's pid is the pid of the VM.
    environment.put("RABBITMQ_ALLOW_INPUT", "true");
    environment.put("RABBITMQ_SERVER_START_ARGS", "-noinput");
    environment.put(
        "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}");
    return environment;
  }

  @Override
  boolean answers() {
    return AmqpProbe.answers(host(), port(), USER, PASSWORD);
  }

  private String configuration() {
    return """
    listeners.tcp.default = %s:%d
    default_user = %s
    default_pass = %s
    log.console = true
    log.console.level = warning
    log.file = false
    disk_free_limit.absolute = 50MB
    """
        .formatted(host(), port(), USER, PASSWORD);
  }

  public static void endLeftOverEpmd(Path folder) {
    LeftOver.end(epmdPidFile(folder));
  }

  private static Path epmdPidFile(Path folder) {
    return folder.resolve("epmd.pid");
  }
}
