package io.firstcome.benchmark.rig;

import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;

/**
 * The servers of a rig.
 *
 * @param database name of the database for the tables of Firstcome; it must exist
 */
public record RigServers(
    PostgresServer postgres, String database, RedisServer redis, AmqpServer amqp) {}
