/** Real PostgreSQL, Redis and AMQP servers for development and tests, and the service on top. */
@NullMarked
package io.firstcome.devservices;

import org.jspecify.annotations.NullMarked;
