package io.firstcome.systemtests.kit;

import io.firstcome.devservices.DevServices;
import java.util.Map;

/** The connections of the service to its servers, each through a proxy that can disturb it. */
public record Links(TcpProxy redis, TcpProxy postgres, TcpProxy amqp) {

  static Links to(DevServices servers) {
    return new Links(
        TcpProxy.to(servers.redis().host(), servers.redis().port()),
        TcpProxy.to(servers.postgres().host(), servers.postgres().port()),
        TcpProxy.to(servers.rabbitmq().host(), servers.rabbitmq().port()));
  }

  /** The environment of an instance that connects through the proxies. */
  Map<String, String> environment(String database) {
    return Map.of(
        "SPRING_DATA_REDIS_PORT",
        Integer.toString(redis.port()),
        "SPRING_DATASOURCE_URL",
        "jdbc:postgresql://127.0.0.1:%d/%s".formatted(postgres.port(), database),
        "SPRING_RABBITMQ_PORT",
        Integer.toString(amqp.port()));
  }

  void heal() {
    redis.heal();
    postgres.heal();
    amqp.heal();
  }

  void close() {
    redis.close();
    postgres.close();
    amqp.close();
  }
}
