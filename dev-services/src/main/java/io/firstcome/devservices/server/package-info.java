/** The backing servers: PostgreSQL, Redis, Sentinel and AMQP brokers. */
@NullMarked
package io.firstcome.devservices.server;

import org.jspecify.annotations.NullMarked;
