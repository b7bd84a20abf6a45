/** The broker's ports on RabbitMQ, and the listener that passes accepted claims to the recorder. */
@NullMarked
package io.firstcome.adapter.rabbitmq;

import org.jspecify.annotations.NullMarked;
