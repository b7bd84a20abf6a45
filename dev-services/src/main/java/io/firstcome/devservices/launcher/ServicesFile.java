package io.firstcome.devservices.launcher;

import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code services.json}: the addresses and pids of all parts while they run, for scripts and users.
 */
final class ServicesFile {

  private ServicesFile() {}

  static String json(Stack.Running all) {
    return json(
        all.service().pid(),
        all.service().url(),
        all.service().managementUrl(),
        all.postgres(),
        all.redis(),
        all.amqp());
  }

  static String json(
      long servicePid,
      String url,
      String managementUrl,
      PostgresServer postgres,
      RedisServer redis,
      AmqpServer amqp) {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.putObject("service")
        .put("pid", servicePid)
        .put("url", url)
        .put("managementUrl", managementUrl);
    root.putObject("postgres")
        .put("pid", postgres.pid())
        .put("host", postgres.host())
        .put("port", postgres.port())
        .put("database", postgres.database())
        .put("user", postgres.user())
        .put("password", postgres.password());
    root.putObject("redis")
        .put("pid", redis.pid())
        .put("host", redis.host())
        .put("port", redis.port());
    root.putObject("amqp")
        .put("kind", amqp.kind().name().toLowerCase(Locale.ROOT))
        .put("pid", amqp.pid())
        .put("uri", amqp.uri());
    return root.toString();
  }
}
