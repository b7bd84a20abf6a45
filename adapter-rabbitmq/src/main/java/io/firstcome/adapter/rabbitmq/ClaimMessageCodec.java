package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import java.io.ByteArrayOutputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The format of a claim message: one log entry as a JSON object.
 *
 * <pre>{@code
 * {"version": 1, "partition": 7, "entryId": "1777626000123-0", "epoch": 3,
 *  "couponId": "WELCOME2026", "acceptedAt": "2026-05-01T09:00:00.123Z",
 *  "claims": [{"userId": "u-1", "slot": 1}]}
 * }</pre>
 *
 * Decoding is strict: every member must be present, of its type and valid. Unknown members are
 * skipped, so that a later release can add members that an earlier one can safely ignore; any other
 * change needs a new version, and an unknown version is not decoded.
 */
final class ClaimMessageCodec {

  static final int VERSION = 1;

  /** Estimate; the buffer grows if necessary. */
  private static final int BYTES_BEFORE = 160;

  private static final int BYTES_OF_A_CLAIM = 64;

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  Message encode(HandoffEntry entry) {
    EntryReference reference = entry.reference();
    var bytes = new ByteArrayOutputStream(BYTES_BEFORE + BYTES_OF_A_CLAIM * entry.claims().size());
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberProperty("version", VERSION);
      json.writeNumberProperty("partition", reference.partition().number());
      json.writeStringProperty("entryId", reference.entryId());
      json.writeNumberProperty("epoch", reference.epoch().number());
      json.writeStringProperty("couponId", entry.couponId().value());
      json.writeStringProperty("acceptedAt", entry.acceptedAt().toString());
      json.writeArrayPropertyStart("claims");
      for (SlotClaim claim : entry.claims()) {
        json.writeStartObject();
        json.writeStringProperty("userId", claim.userId().value());
        json.writeNumberProperty("slot", claim.slot().number());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return JsonMessages.of(bytes.toByteArray(), VERSION, reference);
  }

  /**
   * Reads a message's body.
   *
   * @throws UndecodableMessageException if it is not a valid message of this version
   */
  HandoffEntry decode(byte[] body) throws UndecodableMessageException {
    try (JsonParser json = JSON.createParser(body)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new UndecodableMessageException("not a JSON object");
      }
      HandoffEntry entry = entry(json);
      if (json.nextToken() != null) {
        throw new UndecodableMessageException("unexpected content after the JSON object");
      }
      return entry;
    } catch (JacksonException e) {
      // No cause: Jackson's message quotes the body, and causes are logged too.
      throw new UndecodableMessageException("not valid JSON");
    } catch (DateTimeException e) {
      throw new UndecodableMessageException("acceptedAt must be a timestamp");
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new UndecodableMessageException("invalid value: " + e.getMessage());
    }
  }

  private static HandoffEntry entry(JsonParser json) throws UndecodableMessageException {
    Long version = null;
    Long partition = null;
    String entryId = null;
    Long epoch = null;
    String couponId = null;
    String acceptedAt = null;
    List<SlotClaim> claims = null;
    for (String member = json.nextName(); member != null; member = json.nextName()) {
      switch (member) {
        case "version" -> version = version(json);
        case "partition" -> partition = integer(json, member);
        case "entryId" -> entryId = text(json, member);
        case "epoch" -> epoch = integer(json, member);
        case "couponId" -> couponId = text(json, member);
        case "acceptedAt" -> acceptedAt = text(json, member);
        case "claims" -> claims = claims(json);
        default -> skip(json);
      }
    }
    require(version, "version");
    return new HandoffEntry(
        new EntryReference(
            new Partition(Math.toIntExact(require(partition, "partition"))),
            require(entryId, "entryId"),
            new Epoch(require(epoch, "epoch"))),
        new CouponId(require(couponId, "couponId")),
        Instant.parse(require(acceptedAt, "acceptedAt")),
        require(claims, "claims"));
  }

  private static long version(JsonParser json) throws UndecodableMessageException {
    long version = integer(json, "version");
    if (version != VERSION) {
      throw new UndecodableMessageException("unknown version: " + version);
    }
    return version;
  }

  private static List<SlotClaim> claims(JsonParser json) throws UndecodableMessageException {
    if (json.nextToken() != JsonToken.START_ARRAY) {
      throw new UndecodableMessageException("claims must be an array");
    }
    List<SlotClaim> claims = new ArrayList<>();
    while (json.nextToken() == JsonToken.START_OBJECT) {
      claims.add(claim(json));
    }
    if (json.currentToken() != JsonToken.END_ARRAY) {
      throw new UndecodableMessageException("claims must be an array of objects");
    }
    return claims;
  }

  private static SlotClaim claim(JsonParser json) throws UndecodableMessageException {
    String userId = null;
    Long slot = null;
    for (String member = json.nextName(); member != null; member = json.nextName()) {
      switch (member) {
        case "userId" -> userId = text(json, member);
        case "slot" -> slot = integer(json, member);
        default -> skip(json);
      }
    }
    return new SlotClaim(
        new UserId(require(userId, "userId")), new Slot(Math.toIntExact(require(slot, "slot"))));
  }

  private static long integer(JsonParser json, String name) throws UndecodableMessageException {
    if (json.nextToken() != JsonToken.VALUE_NUMBER_INT) {
      throw new UndecodableMessageException(name + " must be an integer");
    }
    return json.getLongValue();
  }

  private static String text(JsonParser json, String name) throws UndecodableMessageException {
    if (json.nextToken() != JsonToken.VALUE_STRING || json.getString().isEmpty()) {
      throw new UndecodableMessageException(name + " must be a non-empty string");
    }
    return json.getString();
  }

  private static void skip(JsonParser json) {
    json.nextToken();
    json.skipChildren();
  }

  private static <T> T require(@Nullable T value, String name) throws UndecodableMessageException {
    if (value == null) {
      throw new UndecodableMessageException(name + " is missing");
    }
    return value;
  }
}
