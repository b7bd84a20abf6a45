package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.CouponRequests;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.HaltedInstance;
import io.firstcome.systemtests.kit.HaltedMethod;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Redemptions;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** User coupons of an archived coupon are exported to files and removed after their retention. */
@Tag("slow")
@ExtendWith(QuietLogs.class)
class RetentionIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final int OWNERS = 60;

  private static final Map<String, String> ONE_AT_A_TIME =
      Map.of("FIRSTCOME_LIMITS_RETENTION_BATCH", "1", "FIRSTCOME_LIMITS_RETENTION_PAUSE", "10ms");

  private static final int HALTS_AT = 20;

  private final World world = World.get();

  @TempDir private Path directory = Path.of("");

  private Map<String, String> retention(Map<String, String> more) {
    var settings = new HashMap<>(more);
    settings.put("FIRSTCOME_RETENTION_PERIOD", "P1D");
    settings.put("FIRSTCOME_RETENTION_DIRECTORY", directory.toString());
    return settings;
  }

  private Answer operate(String coupon, String change) {
    return world.send(
        Call.of("POST", "/api/v1/admin/coupons/" + coupon + "/" + change).operator().as("olga"));
  }

  private JsonNode read(String coupon) {
    return world.send(Call.get("/api/v1/admin/coupons/" + coupon).operator()).json();
  }

  /** Archives the coupon, and moves it, with its user coupons, into the past. */
  private void archiveLongAgo(String coupon) throws SQLException {
    assertThat(operate(coupon, "close").status()).isEqualTo(200);
    Await.until(LIMIT, "the coupon is archived", () -> operate(coupon, "archive").status() == 200);
    execute(
        """
        UPDATE user_coupon SET issued_at = '2020-01-02', expires_at = '2020-02-01'
        FROM coupon WHERE coupon.coupon_number = user_coupon.coupon_number AND coupon_id = ?
        """,
        coupon);
    execute(
        """
        UPDATE coupon SET opens_at = '2020-01-01', closes_at = '2020-01-03',
          changed_at = now() - interval '25 hours'
        WHERE coupon_id = ?
        """,
        coupon);
    Await.until(
        LIMIT,
        "every expiry is recorded",
        () ->
            hasNone(
                """
                SELECT FROM user_coupon JOIN coupon USING (coupon_number)
                WHERE coupon_id = ? AND state = 'ISSUED' LIMIT 1
                """,
                coupon));
    Await.until(
        LIMIT,
        "every event is published",
        () -> hasNone("SELECT FROM event_outbox WHERE coupon_id = ? LIMIT 1", coupon));
  }

  private void execute(String sql, String coupon) throws SQLException {
    try (var connection = world.postgres().connect();
        var statement = connection.prepareStatement(sql)) {
      statement.setString(1, coupon);
      statement.executeUpdate();
    }
  }

  private boolean hasNone(String sql, String coupon) {
    try (var connection = world.postgres().connect();
        var query = connection.prepareStatement(sql)) {
      query.setString(1, coupon);
      try (var found = query.executeQuery()) {
        return !found.next();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the database", e);
    }
  }

  private void awaitEnd(String coupon) {
    Await.until(
        LIMIT,
        () -> "the end of the removal: " + read(coupon),
        () -> read(coupon).path("removal").has("endedAt"));
  }

  private List<JsonNode> exported(String coupon, String kind) throws IOException {
    var lines = new ArrayList<JsonNode>();
    try (var files = Files.newDirectoryStream(directory.resolve(coupon), kind + "*.jsonl.gz")) {
      for (var file : files) {
        try (var in = new GZIPInputStream(Files.newInputStream(file))) {
          new String(in.readAllBytes(), UTF_8)
              .lines()
              .map(CouponRequests::read)
              .forEach(lines::add);
        }
      }
    }
    return lines;
  }

  private String issued(String coupon, String user) {
    var claim = world.send(Call.claim(coupon).as(user).prefer("wait=10"));
    assertThat(claim.status()).as(claim.body()).isEqualTo(201);
    return claim.text("userCouponId");
  }

  @Test
  void user_coupons_are_exported_with_their_history_and_removed() throws Exception {
    var coupon = world.define(aCoupon().withTotal(3).with("returnsToStock", "true"));
    var ann = issued(coupon, "ann");
    var bob = issued(coupon, "bob");
    var cy = issued(coupon, "cy");
    assertThat(world.send(Redemptions.use(ann, "order-1", 9_000)).status()).isEqualTo(201);
    assertThat(world.send(Call.of("DELETE", "/api/v1/me/coupons/" + bob).as("bob")).status())
        .isEqualTo(204);
    archiveLongAgo(coupon);

    try (var remover = World.ready(world.start("retention", retention(Map.of())))) {
      awaitEnd(coupon);
      assertThat(World.metric(remover, "firstcome_retention_removed_total", "")).isEqualTo(3);
    }

    var kept = exported(coupon, "user-coupons");
    assertThat(kept.stream().map(line -> line.path("userId").asString()))
        .containsExactly("ann", "cy");
    assertThat(kept.getFirst().at("/userCoupon/userCouponId").asString()).isEqualTo(ann);
    assertThat(kept.getFirst().at("/redemptions/0/orderId").asString()).isEqualTo("order-1");
    assertThat(kept.getFirst().at("/audit/0/action").asString()).isEqualTo("USE");
    assertThat(kept.getLast().at("/userCoupon/state").asString()).isEqualTo("EXPIRED");
    assertThat(exported(coupon, "returned").getFirst().at("/userCoupon/userCouponId").asString())
        .isEqualTo(bob);

    assertThat(read(coupon).at("/removal/userCoupons").asInt()).isEqualTo(3);
    assertProblem(
        world.send(Call.get("/api/v1/me/coupons/" + ann).as("ann")), 404, "unknown-user-coupon");
    assertProblem(world.send(Call.claim(coupon).as("cy")), 409, "closed");
    assertProblem(
        world.send(Call.get("/api/v1/admin/user-coupons/" + cy + "/audit").operator()),
        404,
        "unknown-user-coupon");
    var proof = world.send(Call.proof(coupon)).json();
    assertThat(proof.path("removed").asInt()).as("%s", proof).isEqualTo(3);
    assertThat(proof.path("slotsUsed").asInt(-1)).isZero();
  }

  @Tag("faults")
  @Scenario(
      number = "49",
      fault = "an instance halts while it exports user coupons whose retention is over",
      guards = "retention-export")
  void rows_whose_exporting_instance_halts_are_exported_by_another_instance(Fault fault)
      throws Exception {
    var past = world.define(aCoupon().withTotal(OWNERS));
    var owners = Users.some(OWNERS);
    world.crowd(past, owners).join();
    archiveLongAgo(past);
    var coupon = world.define(aCoupon().withTotal(3_000));

    var crowd = world.crowd(coupon, Users.some(500_000), world.service());
    var point = HaltedMethod.EXPORT_ROWS.entered(HALTS_AT);
    try (var other = HaltedInstance.atStart(world, point, retention(ONE_AT_A_TIME))) {
      fault.struckAt(other.awaitHalt(), world, coupon);
    }
    crowd.endsAfter(6_000).join();
    try (var _ = world.start("retention-other", retention(Map.of()))) {
      awaitEnd(past);
    }

    assertThat(exported(past, "user-coupons").stream().map(line -> line.path("userId").asString()))
        .as("exported users")
        .containsAll(owners);
    assertThat(read(past).at("/removal/userCoupons").asInt()).isEqualTo(OWNERS);
    assertThat(fault.exactInOrder(world, coupon).liveRows()).isEqualTo(3_000);
  }
}
