package io.firstcome.systemtests.kit;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A builder of coupon definitions: {@code aCoupon().withTotal(100)}. */
public final class CouponRequests {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final ObjectNode json;

  private CouponRequests(ObjectNode json) {
    this.json = json;
  }

  /** With a new id and 100 slots, open for an hour. */
  public static CouponRequests aCoupon() {
    String id =
        "SYS-%d-%s"
            .formatted(
                COUNT.incrementAndGet(),
                Long.toString(System.currentTimeMillis(), Character.MAX_RADIX)
                    .toUpperCase(Locale.ROOT));
    ObjectNode json = JsonMapper.shared().createObjectNode();
    json.put("couponId", id).put("name", "Ten percent").put("totalQuantity", 100);
    ObjectNode discount = json.putObject("discount").put("type", "AMOUNT");
    discount.putObject("amountOff").put("minorUnits", 500).put("currency", "EUR");
    json.putObject("validity").put("days", 30);
    json.put("returnsToStock", false);
    return new CouponRequests(json).openIn(Duration.ofMinutes(-1)).closingIn(Duration.ofHours(1));
  }

  public CouponRequests withTotal(int total) {
    json.put("totalQuantity", total);
    return this;
  }

  public CouponRequests openIn(Duration fromNow) {
    json.put("opensAt", in(fromNow).toString());
    return this;
  }

  public CouponRequests closingIn(Duration fromNow) {
    json.put("closesAt", in(fromNow).toString());
    return this;
  }

  public CouponRequests withWaitingRoom(int admissionsPerSecond) {
    json.putObject("waitingRoom").put("admissionsPerSecond", admissionsPerSecond);
    return this;
  }

  /** Any member, as JSON text. */
  public CouponRequests with(String member, String value) {
    json.set(member, JsonMapper.shared().readTree(value));
    return this;
  }

  public CouponRequests without(String member) {
    json.remove(member);
    return this;
  }

  /** Any JSON text. */
  public static JsonNode read(String json) {
    return JsonMapper.shared().readTree(json);
  }

  public String id() {
    return json.path("couponId").asString();
  }

  public JsonNode definition() {
    return json.deepCopy();
  }

  public String json() {
    return json.toString();
  }

  private static Instant in(Duration fromNow) {
    return Instant.now().plus(fromNow).truncatedTo(ChronoUnit.SECONDS);
  }
}
