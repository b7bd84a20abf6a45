/**
 * The broker's ports on RabbitMQ, and the listener that passes accepted claims to the recorder.
 * More than twenty classes are in one package, because publishers, listener and queue share names,
 * topology and message formats that no other package must know.
 */
@NullMarked
package io.firstcome.adapter.rabbitmq;

import org.jspecify.annotations.NullMarked;
