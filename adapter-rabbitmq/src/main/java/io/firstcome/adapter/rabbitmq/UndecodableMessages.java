package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.port.BrokerUnavailableException;
import java.util.List;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageDeliveryMode;

/**
 * Parks messages that cannot be decoded: the body as it came, the reason in a header. The service
 * does it itself because not every broker dead-letters what a consumer rejects.
 */
final class UndecodableMessages {

  static final String REASON_HEADER = "firstcome-undecodable";

  /** A reason can quote what it found, and a header must fit into one frame. */
  private static final int MAX_REASON_LENGTH = 200;

  private final ConfirmedPublisher publisher;
  private final RabbitNames names;

  UndecodableMessages(ConfirmedPublisher publisher, RabbitNames names) {
    this.publisher = publisher;
    this.names = names;
  }

  /**
   * Returns when the parking queue has the message.
   *
   * @throws BrokerUnavailableException otherwise
   */
  void park(Message message, UndecodableMessageException reason) {
    // Its own headers stay behind: a foreign one could have a size or type that no broker takes.
    Message parked =
        MessageBuilder.withBody(message.getBody())
            .setContentType("application/octet-stream")
            .setDeliveryMode(MessageDeliveryMode.PERSISTENT)
            .setHeader(REASON_HEADER, shortened(String.valueOf(reason.getMessage())))
            .build();
    publisher.publish(names.parking(), List.of(parked));
  }

  private static String shortened(String reason) {
    return reason.substring(0, Math.min(reason.length(), MAX_REASON_LENGTH));
  }
}
