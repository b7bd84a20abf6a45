package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.port.EventFormat;
import io.firstcome.domain.usercoupon.Redemption;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * The format of an event message: an array of events of one type and coupon, each a CloudEvent 1.0
 * in JSON. The member {@code data} conforms to the type's JSON Schema in {@code docs/events}. Later
 * releases may add members; any other change needs a new {@code dataschema}.
 *
 * @see <a
 *     href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md#4-json-batch-format">
 *     JSON batch format</a>
 */
final class CloudEventFormat implements EventFormat {

  static final String CONTENT_TYPE = "application/cloudevents-batch+json";

  private static final String TEST = "webhook.test";

  /** Estimate; the buffer grows if necessary. */
  private static final int BYTES_OF_AN_EVENT = 512;

  private static final JsonMapper JSON = JsonMapper.shared();

  private final String source;

  /**
   * @param names of the deployment that the events come from
   */
  CloudEventFormat(RabbitNames names) {
    this.source = "/" + names.prefix();
  }

  /** The routing key {@code <type>.<couponId>}: two words for the type, one for the coupon. */
  static String routingKey(CouponEvent event) {
    return typeOf(event) + "." + event.couponId();
  }

  byte[] encode(List<CouponEvent> events) {
    var bytes = new ByteArrayOutputStream(BYTES_OF_AN_EVENT * events.size());
    try (var json = JSON.createGenerator(bytes)) {
      json.writeStartArray();
      for (var event : events) {
        write(json, event);
      }
      json.writeEndArray();
    }
    return bytes.toByteArray();
  }

  private void write(JsonGenerator json, CouponEvent event) {
    writeEnvelope(json, typeOf(event), event.id(), subject(event), event.at());
    writeData(json, event);
    json.writeEndObject();
    if (event.couponId().isOfRehearsal()) {
      // An extension attribute.
      json.writeBooleanProperty("rehearsal", true);
    }
    json.writeEndObject();
  }

  /** Up to and including the beginning of the data. */
  private void writeEnvelope(
      JsonGenerator json, String type, String id, String subject, Instant at) {
    json.writeStartObject();
    json.writeStringProperty("specversion", "1.0");
    json.writeStringProperty("id", id);
    json.writeStringProperty("source", source);
    json.writeStringProperty("type", "io.firstcome." + type);
    json.writeStringProperty("subject", subject);
    json.writeStringProperty("time", at.toString());
    json.writeStringProperty("datacontenttype", "application/json");
    json.writeStringProperty("dataschema", "urn:firstcome:schema:" + type.replace('.', '-') + ":1");
    json.writeObjectPropertyStart("data");
  }

  @Override
  public String type(CouponEvent event) {
    return typeOf(event);
  }

  @Override
  public String text(List<CouponEvent> events) {
    return new String(encode(events), StandardCharsets.UTF_8);
  }

  @Override
  public String testType() {
    return TEST;
  }

  @Override
  public String test(Instant at) {
    var bytes = new ByteArrayOutputStream(BYTES_OF_AN_EVENT);
    try (var json = JSON.createGenerator(bytes)) {
      json.writeStartArray();
      writeEnvelope(json, TEST, "test/" + at, TEST, at);
      json.writeEndObject();
      json.writeEndObject();
      json.writeEndArray();
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static String typeOf(CouponEvent event) {
    return switch (event) {
      case CouponEvent.Issued _ -> "user-coupon.issued";
      case CouponEvent.Held _ -> "user-coupon.held";
      case CouponEvent.Released _ -> "user-coupon.released";
      case CouponEvent.Used _ -> "user-coupon.used";
      case CouponEvent.Restored _ -> "user-coupon.restored";
      case CouponEvent.Expired _ -> "user-coupon.expired";
      case CouponEvent.Returned _ -> "user-coupon.returned";
      case CouponEvent.Revoked _ -> "user-coupon.revoked";
      case CouponEvent.ShareIssued _ -> "coupon.share-issued";
      case CouponEvent.SoldOut _ -> "coupon.sold-out";
      case CouponEvent.ReturnedToSale _ -> "coupon.returned-to-sale";
    };
  }

  private static String subject(CouponEvent event) {
    return switch (event) {
      case CouponEvent.OfUserCoupon one -> one.subject().userCouponId().toString();
      case CouponEvent.OfCoupon ofCoupon -> ofCoupon.couponId().value();
    };
  }

  private static void writeData(JsonGenerator json, CouponEvent event) {
    json.writeStringProperty("couponId", event.couponId().value());
    if (event instanceof CouponEvent.OfUserCoupon one) {
      json.writeStringProperty("userCouponId", one.subject().userCouponId().toString());
      json.writeNumberProperty("revision", one.subject().revision());
      json.writeStringProperty("userId", one.subject().userId().value());
    }
    switch (event) {
      case CouponEvent.Issued issued -> {
        json.writeNumberProperty("slot", issued.slot().number());
        json.writeStringProperty("expiresAt", issued.expiresAt().toString());
      }
      case CouponEvent.Held held -> {
        writeRedemption(json, held.redemption());
        json.writeStringProperty("heldUntil", held.until().toString());
      }
      case CouponEvent.Released released ->
          json.writeStringProperty("orderId", released.orderId().value());
      case CouponEvent.Used used -> writeRedemption(json, used.redemption());
      case CouponEvent.Restored restored ->
          json.writeStringProperty("orderId", restored.orderId().value());
      case CouponEvent.Expired _ -> {
        // An expiry has no further members.
      }
      case CouponEvent.Returned returned ->
          json.writeBooleanProperty("slotWentBack", returned.slotWentBack());
      case CouponEvent.Revoked revoked -> {
        json.writeStringProperty("reason", revoked.reason());
        json.writeBooleanProperty("slotWentBack", revoked.slotWentBack());
      }
      case CouponEvent.ShareIssued share -> {
        json.writeNumberProperty("percent", share.percent());
        json.writeNumberProperty("totalQuantity", share.totalQuantity());
      }
      case CouponEvent.SoldOut soldOut ->
          json.writeNumberProperty("totalQuantity", soldOut.totalQuantity());
      case CouponEvent.ReturnedToSale returned ->
          json.writeNumberProperty("slot", returned.slot().number());
    }
  }

  private static void writeRedemption(JsonGenerator json, Redemption redemption) {
    json.writeStringProperty("orderId", redemption.orderId().value());
    writeMoney(json, "amount", redemption.order());
    writeMoney(json, "discount", redemption.discount());
  }

  private static void writeMoney(JsonGenerator json, String member, Money money) {
    json.writeObjectPropertyStart(member);
    json.writeNumberProperty("minorUnits", money.minorUnits());
    json.writeStringProperty("currency", money.currency().getCurrencyCode());
    json.writeEndObject();
  }
}
