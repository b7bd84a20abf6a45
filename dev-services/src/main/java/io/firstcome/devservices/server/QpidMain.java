package io.firstcome.devservices.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.model.BrokerModel;
import org.apache.qpid.server.model.SystemConfig;
import tools.jackson.databind.json.JsonMapper;

/** The main program of the JVM in which {@link LocalQpid} runs the broker. */
final class QpidMain {

  static final String CONFIGURATION_FILE = "qpid.json";

  private QpidMain() {}

  /** Runs the broker of the folder in the argument until SIGTERM. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    SystemLauncher launcher = new SystemLauncher();
    Runtime.getRuntime().addShutdownHook(new Thread(launcher::shutdown, "qpid-shutdown"));
    Map<String, Object> attributes = new HashMap<>();
    attributes.put(SystemConfig.TYPE, "Memory");
    attributes.put(
        SystemConfig.INITIAL_CONFIGURATION_LOCATION,
        folder.resolve(CONFIGURATION_FILE).toUri().toString());
    attributes.put(SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, false);
    attributes.put(
        SystemConfig.CONTEXT,
        Map.of(SystemConfig.QPID_WORK_DIR, folder.resolve("work").toString()));
    launcher.startup(attributes);
  }

  static void writeConfiguration(Path file, String host, int port, String user, String password) {
    Map<String, Object> authentication =
        Map.of(
            "name",
            "plain",
            "type",
            "Plain",
            // Else PLAIN itself is offered only over TLS.
            "secureOnlyMechanisms",
            List.of(),
            "users",
            List.of(Map.of("name", user, "type", "managed", "password", password)));
    Map<String, Object> amqp =
        Map.of(
            "name",
            "AMQP",
            "type",
            "AMQP",
            "bindingAddress",
            host,
            "port",
            port,
            "protocols",
            List.of("AMQP_0_9_1"),
            "authenticationProvider",
            "plain",
            "virtualhostaliases",
            List.of(alias("nameAlias"), alias("defaultAlias"), alias("hostnameAlias")));
    Map<String, Object> virtualHost =
        Map.of(
            "name",
            "default",
            "type",
            "Memory",
            "defaultVirtualHostNode",
            true,
            "virtualHostInitialConfiguration",
            "{\"type\":\"Memory\"}");
    Map<String, Object> broker =
        Map.of(
            "name",
            "firstcome",
            "modelVersion",
            BrokerModel.MODEL_VERSION,
            // RabbitMQ's own arguments, such as x-queue-type, are not an error here.
            "context",
            Map.of("queue.behaviourOnUnknownDeclareArgument", "IGNORE"),
            "authenticationproviders",
            List.of(authentication),
            "ports",
            List.of(amqp),
            "virtualhostnodes",
            List.of(virtualHost));
    try {
      Files.writeString(file, JsonMapper.shared().writeValueAsString(broker));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Object> alias(String type) {
    return Map.of("name", type, "type", type);
  }
}
