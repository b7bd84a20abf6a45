package io.firstcome.benchmark.rig;

import io.firstcome.devservices.AmqpServer;
import io.firstcome.devservices.PostgresServer;
import io.firstcome.devservices.RedisServer;

/**
 * The servers of a rig.
 *
 * @param database of the tables, which must exist
 */
public record RigServers(
    PostgresServer postgres, String database, RedisServer redis, AmqpServer amqp) {}
