package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.handoff.EntryReference;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.MessageProperties;

/** Builds claim messages: persistent JSON, with the format version and the log entry's id. */
final class JsonMessages {

  /** The header with the version of the body's format, for readers that do not parse the body. */
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
