package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.event.CouponEvent;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The format of a message: an array of events of one type and coupon, each a CloudEvent 1.0 in
 * JSON. The member {@code data} is as the type's JSON Schema in {@code docs/events} says. Later
 * releases may add members; any other change is a new {@code dataschema}.
 *
 * @see <a
 *     href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md#4-json-batch-format">
 *     JSON batch format</a>
 */
final class CloudEventFormat {

  static final String CONTENT_TYPE = "application/cloudevents-batch+json";

  private static final JsonMapper JSON = JsonMapper.shared();

  private final String source;

  /**
   * @param names of the deployment that the events come from
   */
  CloudEventFormat(RabbitNames names) {
    this.source = "/" + names.prefix();
  }

  /** What consumers bind to: {@code <type>.<couponId>}, in two words and one. */
  static String routingKey(CouponEvent event) {
    return type(event) + "." + event.couponId();
  }

  byte[] encode(List<CouponEvent> events) {
    var batch = JSON.createArrayNode();
    for (var event : events) {
      put(batch.addObject(), event);
    }
    return JSON.writeValueAsBytes(batch);
  }

  private void put(ObjectNode root, CouponEvent event) {
    root.put("specversion", "1.0");
    root.put("id", event.id());
    root.put("source", source);
    root.put("type", "io.firstcome." + type(event));
    root.put("subject", subject(event));
    root.put("time", event.at().toString());
    root.put("datacontenttype", "application/json");
    root.put("dataschema", "urn:firstcome:schema:" + type(event).replace('.', '-') + ":1");
    putData(root.putObject("data"), event);
  }

  private static String type(CouponEvent event) {
    return switch (event) {
      case CouponEvent.Issued _ -> "user-coupon.issued";
      case CouponEvent.Used _ -> "user-coupon.used";
      case CouponEvent.Restored _ -> "user-coupon.restored";
      case CouponEvent.Expired _ -> "user-coupon.expired";
      case CouponEvent.Returned _ -> "user-coupon.returned";
      case CouponEvent.Revoked _ -> "user-coupon.revoked";
      case CouponEvent.SoldOut _ -> "coupon.sold-out";
    };
  }

  private static String subject(CouponEvent event) {
    return switch (event) {
      case CouponEvent.OfUserCoupon one -> one.subject().userCouponId().toString();
      case CouponEvent.SoldOut soldOut -> soldOut.couponId().value();
    };
  }

  private static void putData(ObjectNode data, CouponEvent event) {
    data.put("couponId", event.couponId().value());
    if (event instanceof CouponEvent.OfUserCoupon one) {
      data.put("userCouponId", one.subject().userCouponId().toString());
      data.put("revision", one.subject().revision());
      data.put("userId", one.subject().userId().value());
    }
    switch (event) {
      case CouponEvent.Issued issued -> {
        data.put("slot", issued.slot().number());
        data.put("expiresAt", issued.expiresAt().toString());
      }
      case CouponEvent.Used used -> {
        data.put("orderId", used.redemption().orderId().value());
        put(data.putObject("amount"), used.redemption().order());
        put(data.putObject("discount"), used.redemption().discount());
      }
      case CouponEvent.Restored restored -> data.put("orderId", restored.orderId().value());
      case CouponEvent.Expired _ -> {
        // That it has expired is all there is to say.
      }
      case CouponEvent.Returned returned -> data.put("slotWentBack", returned.slotWentBack());
      case CouponEvent.Revoked revoked -> {
        data.put("reason", revoked.reason());
        data.put("slotWentBack", revoked.slotWentBack());
      }
      case CouponEvent.SoldOut soldOut -> data.put("totalQuantity", soldOut.totalQuantity());
    }
  }

  private static void put(ObjectNode node, Money money) {
    node.put("minorUnits", money.minorUnits());
    node.put("currency", money.currency().getCurrencyCode());
  }
}
