package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.issuance.EntryReference;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.MessageProperties;

/** Makes the messages of this module: persistent JSON that says its version and log entry. */
final class JsonMessages {

  /** The header that repeats the version of the body's format, to be read without the body. */
  static final String VERSION_HEADER = "firstcome-version";

  private JsonMessages() {}

  static Message of(byte[] body, int version, EntryReference reference) {
    return MessageBuilder.withBody(body)
        .setContentType(MessageProperties.CONTENT_TYPE_JSON)
        .setDeliveryMode(MessageDeliveryMode.PERSISTENT)
        .setHeader(VERSION_HEADER, version)
        .setMessageId(reference.partition() + "/" + reference.epoch() + "/" + reference.entryId())
        .build();
  }
}
