package io.firstcome.devservices.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The request body with which the launcher defines a coupon. */
record DefinitionBody(String couponId, String json) {

  static final String SAMPLE_ID = "WELCOME2025";
  private static final int SAMPLE_STOCK = 100;

  /** So that the coupon is already open by a clock that is slightly behind. */
  private static final Duration OPEN_BEFORE = Duration.ofMinutes(1);

  private static final Duration JOIN_TIME = Duration.ofSeconds(10);
  private static final int SERVED_WITHIN_SECONDS = 5;
  private static final int MIN_RATE = 10;
  private static final int OPEN_YEARS = 10;
  private static final int VALID_DAYS = 30;
  private static final int DISCOUNT_CENTS = 500;
  private static final int RANDOM_BOUND = 36 * 36;

  /** A coupon that no earlier run has used. */
  static DefinitionBody forDemo(int stock, Instant now) {
    return define(unusedId(now), "Demo", stock, opened(now), null);
  }

  /**
   * The same with a waiting room that claims for its users. It opens some seconds later, and serves
   * them all within about five seconds.
   */
  static DefinitionBody forRoomDemo(int stock, Instant now) {
    ObjectNode room =
        JsonMapper.shared()
            .createObjectNode()
            .put("mode", "CLAIM")
            .put("joinsFrom", opened(now).toString())
            .put("admissionsPerSecond", Math.max(MIN_RATE, stock / SERVED_WITHIN_SECONDS));
    Instant opens = now.truncatedTo(ChronoUnit.SECONDS).plus(JOIN_TIME);
    return define(unusedId(now), "Demo with a waiting room", stock, opens, room);
  }

  private static String unusedId(Instant now) {
    long salt =
        now.toEpochMilli() * RANDOM_BOUND + ThreadLocalRandom.current().nextInt(RANDOM_BOUND);
    return "DEMO-" + Long.toString(salt, Character.MAX_RADIX).toUpperCase(Locale.ROOT);
  }

  /**
   * The sample coupon. It is the same at each start, since a different definition of its id would
   * be rejected.
   */
  static DefinitionBody sample(Path file, Instant now) {
    try {
      if (!Files.exists(file)) {
        PrivateFile.write(
            file, define(SAMPLE_ID, "Welcome 2025", SAMPLE_STOCK, opened(now), null).json());
      }
      return new DefinitionBody(SAMPLE_ID, Files.readString(file).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Instant opened(Instant now) {
    return now.truncatedTo(ChronoUnit.SECONDS).minus(OPEN_BEFORE);
  }

  private static DefinitionBody define(
      String id, String name, int stock, Instant opens, @Nullable ObjectNode room) {
    ObjectNode root = JsonMapper.shared().createObjectNode();
    root.put("couponId", id).put("name", name).put("totalQuantity", stock);
    root.putObject("discount")
        .put("type", "AMOUNT")
        .putObject("amountOff")
        .put("minorUnits", DISCOUNT_CENTS)
        .put("currency", "EUR");
    root.put("opensAt", opens.toString())
        .put("closesAt", opens.plus(OPEN_YEARS * 365L, ChronoUnit.DAYS).toString());
    root.putObject("validity").put("days", VALID_DAYS);
    root.put("returnsToStock", false);
    if (room != null) {
      root.set("waitingRoom", room);
    }
    return new DefinitionBody(id, root.toString());
  }
}
