package io.firstcome.devservices.service;

import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which service to run, where, and on which servers.
 *
 * @param jar the executable jar of the service
 * @param folder for the log, the pid file and the code key
 * @param host where it runs
 * @param port 0 for a free one
 * @param jvmOptions before the class path
 * @param environment overrides the variables derived from the servers
 * @param addition classes added to the service, or null
 */
public record ServiceSettings(
    Path jar,
    Path folder,
    PostgresServer postgres,
    RedisServer redis,
    AmqpServer amqp,
    Host host,
    int port,
    List<String> jvmOptions,
    Map<String, String> environment,
    @Nullable Addition addition) {

  /** Of the users {@code operator} and {@code viewer} of the console. */
  public static final String CONSOLE_PASSWORD = "local";

  /** The environment of a service with these users. */
  public static final Map<String, String> CONSOLE_USERS =
      Map.of(
          "FIRSTCOME_CONSOLE_USERS_OPERATOR_PASSWORD",
          "{noop}" + CONSOLE_PASSWORD,
          "FIRSTCOME_CONSOLE_USERS_OPERATOR_ROLE",
          "OPERATOR",
          "FIRSTCOME_CONSOLE_USERS_VIEWER_PASSWORD",
          "{noop}" + CONSOLE_PASSWORD);

  /** The environment of a service that can deliver to webhooks on the same machine. */
  public static final Map<String, String> LOCAL_WEBHOOKS =
      Map.of(
          "FIRSTCOME_WEBHOOKS_PLAINHTTP", "true",
          "FIRSTCOME_WEBHOOKS_ALLOWEDADDRESSES", "127.0.0.1");

  /**
   * The environment of a service on loopback with the console and the page that shows the API,
   * which can deliver to webhooks on the same machine. That page is on the management port, and its
   * scripts call the service.
   */
  public static final Map<String, String> PAGES = pages();

  private static Map<String, String> pages() {
    var environment = new HashMap<>(CONSOLE_USERS);
    environment.put("MANAGEMENT_ENDPOINTS_WEB_EXPOSURE_INCLUDE", "health,prometheus,apipage");
    environment.put("FIRSTCOME_SECURITY_ORIGINS", "http://127.0.0.1:${management.server.port}");
    environment.putAll(LOCAL_WEBHOOKS);
    return Map.copyOf(environment);
  }

  public ServiceSettings {
    jvmOptions = List.copyOf(jvmOptions);
    environment = Map.copyOf(environment);
  }

  /**
   * Where an instance runs.
   *
   * @param address at which it listens
   * @param enter words before the command that run it on that host; empty for this host. They must
   *     exec the command in the same process
   */
  public record Host(String address, List<String> enter) {

    /** Loopback of this host, unreachable from other hosts. */
    public static final Host LOOPBACK = new Host("127.0.0.1", List.of());

    public Host {
      enter = List.copyOf(enter);
    }
  }

  /**
   * Classes added to those of the service.
   *
   * @param classPath folders and jars; their classes are used only if the environment names them
   * @param main the added main class that is started instead of that of the service, or null
   */
  public record Addition(List<Path> classPath, @Nullable String main) {

    public Addition {
      classPath = List.copyOf(classPath);
    }
  }

  /** On loopback, the server's own database and a free port, without additions. */
  public static ServiceSettings of(
      Path jar, Path folder, PostgresServer postgres, RedisServer redis, AmqpServer amqp) {
    return new ServiceSettings(
        jar, folder, postgres, redis, amqp, Host.LOOPBACK, 0, List.of(), Map.of(), null);
  }

  public ServiceSettings withFolder(Path newFolder) {
    return new ServiceSettings(
        jar, newFolder, postgres, redis, amqp, host, port, jvmOptions, environment, addition);
  }

  public ServiceSettings withHost(Host newHost) {
    return new ServiceSettings(
        jar, folder, postgres, redis, amqp, newHost, port, jvmOptions, environment, addition);
  }

  public ServiceSettings withPort(int newPort) {
    return new ServiceSettings(
        jar, folder, postgres, redis, amqp, host, newPort, jvmOptions, environment, addition);
  }

  public ServiceSettings withJvmOptions(String... options) {
    return new ServiceSettings(
        jar, folder, postgres, redis, amqp, host, port, List.of(options), environment, addition);
  }

  public ServiceSettings withEnvironment(Map<String, String> added) {
    return new ServiceSettings(
        jar, folder, postgres, redis, amqp, host, port, jvmOptions, added, addition);
  }

  public ServiceSettings with(Addition added) {
    return new ServiceSettings(
        jar, folder, postgres, redis, amqp, host, port, jvmOptions, environment, added);
  }
}
