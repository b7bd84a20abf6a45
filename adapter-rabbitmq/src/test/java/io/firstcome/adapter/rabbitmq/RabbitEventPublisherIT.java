package io.firstcome.adapter.rabbitmq;

import static io.firstcome.adapter.rabbitmq.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.port.BrokerUnavailableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Publishing events to RabbitMQ, as other systems see it. */
final class RabbitEventPublisherIT {

  private final AmqpServer server = DevServices.shared().rabbitmq();

  private static String bound(RabbitRig rig, Channel channel, String pattern) throws IOException {
    var queue = channel.queueDeclare().getQueue();
    channel.queueBind(queue, rig.names.events(), pattern);
    return queue;
  }

  @Test
  void each_queue_receives_the_events_that_match_its_binding() throws IOException {
    try (var rig = new RabbitRig(server)) {
      var channel = rig.outside();
      var everything = bound(rig, channel, "#");
      var used = bound(rig, channel, "user-coupon.used.*");
      var ofAnotherCoupon = bound(rig, channel, "*.*.OTHER");

      rig.events().publish(EventSamples.ofEachType());

      assertThat(channel.messageCount(everything)).isEqualTo(EventSamples.ofEachType().size());
      assertThat(channel.messageCount(used)).isEqualTo(1);
      assertThat(channel.messageCount(ofAnotherCoupon)).isZero();
    }
  }

  @Test
  void messages_are_persistent_batches_of_cloud_events() throws IOException {
    try (var rig = new RabbitRig(server)) {
      var channel = rig.outside();
      var queue = bound(rig, channel, "#");

      rig.events().publish(List.of(EventSamples.issued()));

      var message = next(channel, queue);
      assertThat(message.getProps().getDeliveryMode()).isEqualTo(2);
      assertThat(message.getProps().getContentType())
          .isEqualTo("application/cloudevents-batch+json");
      assertThat(ids(message)).containsExactly(EventSamples.issued().id());
    }
  }

  @Test
  void events_of_one_routing_key_share_messages_of_a_hundred() throws IOException {
    try (var rig = new RabbitRig(server)) {
      var channel = rig.outside();
      var issued = bound(rig, channel, "user-coupon.issued.*");
      var soldOut = bound(rig, channel, "coupon.sold-out.*");
      var events = new ArrayList<CouponEvent>();
      for (int slot = 1; slot <= 250; slot++) {
        events.add(EventSamples.issued(slot));
      }
      events.add(100, EventSamples.soldOut());

      rig.events().publish(events);

      var messages = Stream.generate(() -> next(channel, issued)).limit(3).toList();
      assertThat(messages).extracting(message -> ids(message).size()).containsExactly(100, 100, 50);
      assertThat(messages.stream().flatMap(message -> ids(message).stream()))
          .containsExactlyElementsOf(
              events.stream()
                  .filter(CouponEvent.Issued.class::isInstance)
                  .map(CouponEvent::id)
                  .toList());
      assertThat(channel.messageCount(issued)).isZero();
      assertThat(channel.messageCount(soldOut)).isEqualTo(1);
    }
  }

  private static GetResponse next(Channel channel, String queue) {
    return Objects.requireNonNull(RabbitRig.get(channel, queue), queue);
  }

  private static List<String> ids(GetResponse message) {
    return JsonMapper.shared()
        .readTree(message.getBody())
        .valueStream()
        .map(event -> event.get("id").stringValue())
        .toList();
  }

  @Test
  void events_without_a_bound_queue_are_no_failure() {
    try (var rig = new RabbitRig(server)) {
      assertThatCode(() -> rig.events().publish(EventSamples.ofEachType()))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void a_queue_that_refuses_a_message_is_an_exception() throws IOException {
    try (var rig = new RabbitRig(server)) {
      var channel = rig.outside();
      var full = rig.names.prefix() + ".full";
      channel.queueDeclare(
          full, false, true, true, Map.of("x-max-length", 0, "x-overflow", "reject-publish"));
      channel.queueBind(full, rig.names.events(), "#");

      assertThatExceptionOfType(BrokerUnavailableException.class)
          .isThrownBy(() -> rig.events().publish(EventSamples.ofEachType()))
          .withMessageContaining("nacks received");
    }
  }

  @Test
  void a_deleted_exchange_is_an_exception_and_is_then_declared_again() throws IOException {
    try (var rig = new RabbitRig(server)) {
      rig.events().publish(EventSamples.ofEachType());
      rig.outside().exchangeDelete(rig.names.events());

      assertThatExceptionOfType(BrokerUnavailableException.class)
          .isThrownBy(() -> rig.events().publish(EventSamples.ofEachType()));

      eventually(true, () -> isPublished(rig));
    }
  }

  private static boolean isPublished(RabbitRig rig) {
    try {
      rig.events().publish(EventSamples.ofEachType());
      return true;
    } catch (BrokerUnavailableException e) {
      return false;
    }
  }
}
