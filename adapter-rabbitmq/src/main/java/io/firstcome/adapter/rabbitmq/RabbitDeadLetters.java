package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.issuance.SetAsideClaim;
import io.firstcome.domain.port.DeadLetters;
import java.util.List;
import org.springframework.amqp.core.Message;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts claims that can never be recorded into the parking queue, each as a JSON object for an
 * operator to read.
 *
 * <pre>{@code
 * {"version": 1, "reason": "unknown coupon", "partition": 7, "entryId": "1777626000123-0",
 *  "epoch": 3, "couponId": "WELCOME2026", "acceptedAt": "2026-05-01T09:00:00.123Z",
 *  "claim": {"userId": "u-1", "slot": 1}}
 * }</pre>
 */
final class RabbitDeadLetters implements DeadLetters {

  static final int VERSION = 1;

  private static final JsonMapper JSON = JsonMapper.shared();

  private final ConfirmedPublisher publisher;
  private final RabbitNames names;

  RabbitDeadLetters(ConfirmedPublisher publisher, RabbitNames names) {
    this.publisher = publisher;
    this.names = names;
  }

  @Override
  public void setAside(List<SetAsideClaim> claims) {
    publisher.publish(names.parking(), claims.stream().map(RabbitDeadLetters::message).toList());
  }

  private static Message message(SetAsideClaim claim) {
    ObjectNode root = JSON.createObjectNode();
    root.put("version", VERSION);
    root.put("reason", claim.reason());
    ClaimMessageCodec.putReference(root, claim.reference());
    root.put("couponId", claim.couponId().value());
    root.put("acceptedAt", claim.acceptedAt().toString());
    ClaimMessageCodec.putClaim(root.putObject("claim"), claim.claim());
    return JsonMessages.of(JSON.writeValueAsBytes(root), VERSION, claim.reference());
  }
}
