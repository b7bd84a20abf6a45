package io.firstcome.devservices;

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
 * (epmd), so that it neither meets nor disturbs a node that runs as a service.
 */
final class LocalRabbitMq extends LocalServer implements AmqpServer {

  /** It starts at once, unless the machine is busy. */
  private static final Duration EPMD_LIMIT = Duration.ofSeconds(30);

  /** It starts an Erlang machine of its own, which takes seconds on a busy machine. */
  private static final Duration CONTROL_LIMIT = Duration.ofSeconds(60);

  private final RabbitMqInstallation installation;
  private final int distributionPort;
  private final int epmdPort;
  private @Nullable ChildProcess epmd;

  LocalRabbitMq(Path folder, RabbitMqInstallation installation) {
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

  /** Started by us, in the foreground: one that the node starts itself would be nobody's child. */
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
    // Everything that an installed node's own environment could say otherwise.
    System.getenv().keySet().stream()
        .filter(name -> name.startsWith("RABBITMQ_") || name.startsWith("ERL_"))
        .forEach(name -> environment.put(name, ""));
    environment.put("HOME", folder().resolve("home").toString());
    environment.put("ERL_EPMD_PORT", Integer.toString(epmdPort));
    environment.put("ERL_EPMD_ADDRESS", host());
    // The name is part of the data's place: the same at each start, and on a host that resolves
    // everywhere.
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
    // Makes the script become the Erlang machine, so that our child's pid is the one to kill.
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

  static void endLeftOverEpmd(Path folder) {
    LeftOver.end(epmdPidFile(folder));
  }

  private static Path epmdPidFile(Path folder) {
    return folder.resolve("epmd.pid");
  }
}
