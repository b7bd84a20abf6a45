package io.firstcome.adapter.rabbitmq;

import com.fasterxml.jackson.annotation.Nulls;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

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

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(
              DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(
              DeserializationFeature.ACCEPT_FLOAT_AS_INT,
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
          .withCoercionConfig(
              LogicalType.Textual,
              config ->
                  config
                      .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
          .build();

  private record EntryJson(
      int version,
      int partition,
      String entryId,
      long epoch,
      String couponId,
      String acceptedAt,
      List<ClaimJson> claims) {}

  private record ClaimJson(String userId, int slot) {}

  /** What is read of a message that is not an entry of this version. */
  private record VersionJson(int version) {}

  byte[] encode(HandoffEntry entry) {
    var reference = entry.reference();
    var json =
        new EntryJson(
            VERSION,
            reference.partition().number(),
            reference.entryId(),
            reference.epoch().number(),
            entry.couponId().value(),
            entry.acceptedAt().toString(),
            entry.claims().stream()
                .map(claim -> new ClaimJson(claim.userId().value(), claim.slot().number()))
                .toList());
    return JSON.writeValueAsBytes(json);
  }

  /**
   * Reads a message's body.
   *
   * @throws UndecodableMessageException if it is not a valid message of this version
   */
  HandoffEntry decode(byte[] body) throws UndecodableMessageException {
    try {
      return entry(JSON.readValue(body, EntryJson.class));
    } catch (JacksonException e) {
      // No cause: Jackson's message quotes the body, and causes are logged too.
      throw new UndecodableMessageException(problem(e, body));
    } catch (DateTimeException e) {
      throw new UndecodableMessageException("acceptedAt must be a timestamp");
    } catch (IllegalArgumentException e) {
      throw new UndecodableMessageException("invalid value: " + e.getMessage());
    }
  }

  private static HandoffEntry entry(@Nullable EntryJson json) throws UndecodableMessageException {
    if (json == null) {
      throw new UndecodableMessageException("not a JSON object");
    }
    if (json.version() != VERSION) {
      throw new UndecodableMessageException("unknown version: " + json.version());
    }
    if (json.entryId().isEmpty()) {
      throw new UndecodableMessageException("entryId must be a non-empty string");
    }
    return new HandoffEntry(
        new EntryReference(
            new Partition(json.partition()), json.entryId(), new Epoch(json.epoch())),
        new CouponId(json.couponId()),
        Instant.parse(json.acceptedAt()),
        json.claims().stream()
            .map(claim -> new SlotClaim(new UserId(claim.userId()), new Slot(claim.slot())))
            .toList());
  }

  /** The fault, without quoting the body; a later version is allowed to look different. */
  private static String problem(JacksonException fault, byte[] body) {
    if (!(fault instanceof DatabindException)) {
      return "not valid JSON";
    }
    try {
      int version = JSON.readValue(body, VersionJson.class).version();
      if (version != VERSION) {
        return "unknown version: " + version;
      }
    } catch (JacksonException e) {
      // The version is the fault.
    }
    var member =
        fault.getPath().stream()
            .map(JacksonException.Reference::getPropertyName)
            .filter(name -> name != null)
            .collect(Collectors.joining("."));
    return member.isEmpty()
        ? "a member is missing, or this is not a JSON object"
        : member + " is missing or not of its type";
  }
}
