package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.EntryReference;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.springframework.amqp.core.Message;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The format of a claim message: one log entry as a JSON object.
 *
 * <pre>{@code
 * {"version": 1, "partition": 7, "entryId": "1777626000123-0", "epoch": 3,
 *  "couponId": "WELCOME2026", "acceptedAt": "2026-05-01T09:00:00.123Z",
 *  "claims": [{"userId": "u-1", "slot": 1}]}
 * }</pre>
 *
 * Decoding is strict: every member must be there, of its type and valid. Members that it does not
 * know are passed over, so that a later release can add some that an earlier one may ignore without
 * harm; any other change needs a new version, and an unknown version is not decoded.
 */
final class ClaimMessageCodec {

  static final int VERSION = 1;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  Message encode(HandoffEntry entry) {
    ObjectNode root = JSON.createObjectNode();
    root.put("version", VERSION);
    putReference(root, entry.reference());
    root.put("couponId", entry.couponId().value());
    root.put("acceptedAt", entry.acceptedAt().toString());
    ArrayNode claims = root.putArray("claims");
    for (SlotClaim claim : entry.claims()) {
      putClaim(claims.addObject(), claim);
    }
    return JsonMessages.of(JSON.writeValueAsBytes(root), VERSION, entry.reference());
  }

  /**
   * Reads a message's body.
   *
   * @throws UndecodableMessageException if it is not a valid message of this version
   */
  HandoffEntry decode(byte[] body) throws UndecodableMessageException {
    try {
      JsonNode root = JSON.readTree(body);
      if (root == null || !root.isObject()) {
        throw new UndecodableMessageException("not a JSON object");
      }
      long version = integer(root, "version");
      if (version != VERSION) {
        throw new UndecodableMessageException("unknown version: " + version);
      }
      return entry(root);
    } catch (JacksonException e) {
      // Jackson's own words quote the body, and whoever logs this logs its causes too.
      throw new UndecodableMessageException("not valid JSON");
    } catch (DateTimeException e) {
      throw new UndecodableMessageException("acceptedAt must be a time");
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new UndecodableMessageException("invalid value: " + e.getMessage());
    }
  }

  static void putReference(ObjectNode node, EntryReference reference) {
    node.put("partition", reference.partition().number());
    node.put("entryId", reference.entryId());
    node.put("epoch", reference.epoch().number());
  }

  static void putClaim(ObjectNode node, SlotClaim claim) {
    node.put("userId", claim.userId().value());
    node.put("slot", claim.slot().number());
  }

  private static HandoffEntry entry(JsonNode root) throws UndecodableMessageException {
    var reference =
        new EntryReference(
            new Partition(Math.toIntExact(integer(root, "partition"))),
            text(root, "entryId"),
            new Epoch(integer(root, "epoch")));
    JsonNode claims = root.get("claims");
    if (claims == null || !claims.isArray()) {
      throw new UndecodableMessageException("claims must be an array");
    }
    List<SlotClaim> slotClaims = new ArrayList<>(claims.size());
    for (JsonNode claim : claims) {
      slotClaims.add(
          new SlotClaim(
              new UserId(text(claim, "userId")),
              new Slot(Math.toIntExact(integer(claim, "slot")))));
    }
    return new HandoffEntry(
        reference,
        new CouponId(text(root, "couponId")),
        Instant.parse(text(root, "acceptedAt")),
        slotClaims);
  }

  private static long integer(JsonNode object, String name) throws UndecodableMessageException {
    JsonNode value = object.get(name);
    if (value == null || !value.isIntegralNumber() || !value.canConvertToLong()) {
      throw new UndecodableMessageException(name + " must be an integer");
    }
    return value.longValue();
  }

  private static String text(JsonNode object, String name) throws UndecodableMessageException {
    JsonNode value = object.get(name);
    if (value == null || !value.isString() || value.stringValue().isEmpty()) {
      throw new UndecodableMessageException(name + " must be a text");
    }
    return value.stringValue();
  }
}
