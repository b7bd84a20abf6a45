package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One kind of caller uses all connections to the database that it may use. */
@ExtendWith(QuietLogs.class)
class ConnectionSharesIT {

  /** Far more than the connections of customers. */
  private static final int REQUESTS = 40;

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final World world = World.get();

  @Test
  void customers_who_wait_for_the_database_keep_nothing_from_other_callers() throws Exception {
    var coupon = world.define(aCoupon());
    var busy = Users.some(REQUESTS);
    var issued =
        busy.stream().collect(Collectors.toMap(user -> user, user -> claimed(coupon, user)));

    var stop = new AtomicBoolean();
    try (var session = world.postgres().connect();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      session.setAutoCommit(false);
      lock(session, coupon);
      var holds =
          issued.entrySet().stream()
              .map(one -> threads.submit(() -> repeated(stop, one.getValue(), one.getKey())))
              .toList();
      try {
        Await.until(LIMIT, "customers are refused", () -> wallet().problem().equals("overloaded"));

        var claim = world.send(Call.claim(coupon).as(Users.one()).prefer("wait=10"));
        assertThat(claim.status()).as(claim.body()).isEqualTo(201);
        assertThat(world.send(Call.get("/api/v1/redemptions?orderId=o").shop()).status())
            .isEqualTo(200);
        assertThat(world.send(Call.get("/api/v1/admin/coupons").operator()).status())
            .isEqualTo(200);
        assertThat(world.service().isReady()).isTrue();
        assertThat(wallet().problem()).as("meanwhile").isEqualTo("overloaded");
      } finally {
        session.rollback();
        stop.set(true);
      }
      assertThat(holds).extracting(Future::get).anyMatch(answer -> answer.status() < 300);
    }
    assertThat(wallet().status()).isEqualTo(200);
  }

  private Answer wallet() {
    return world.send(Call.get("/api/v1/me/coupons").as(Users.one()));
  }

  /** Holds again and again, so that a connection is always waited for; returns the last answer. */
  private Answer repeated(AtomicBoolean stop, String userCoupon, String user) {
    var answer = hold(userCoupon, user);
    while (!stop.get()) {
      answer = hold(userCoupon, user);
    }
    return answer;
  }

  private String claimed(String coupon, String user) {
    return world.send(Call.claim(coupon).as(user).prefer("wait=10")).text("userCouponId");
  }

  private Answer hold(String userCoupon, String user) {
    return world.send(
        Call.of("POST", "/api/v1/me/coupons/%s/redemptions".formatted(userCoupon))
            .as(user)
            .json(
                "{\"orderId\":\"o\",\"amount\":{\"minorUnits\":3000,\"currency\":\"EUR\"},\"hold\":\"PT10M\"}"));
  }

  private static void lock(Connection session, String coupon) throws SQLException {
    try (var select =
        session.prepareStatement(
            "SELECT FROM user_coupon JOIN coupon USING (coupon_number)"
                + " WHERE coupon_id = ? FOR UPDATE OF user_coupon")) {
      select.setString(1, coupon);
      select.execute();
    }
  }
}
