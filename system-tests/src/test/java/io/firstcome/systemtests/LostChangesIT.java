package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Await;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.PastCoupon;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.StoredCoupon;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** A restored database has lost operators' changes, and no recovery since then has detected it. */
@ExtendWith(QuietLogs.class)
class LostChangesIT {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** The limit for rebuilding a missing stock, from the first claim after the loss. */
  private static final Duration STOCK_LIMIT = Duration.ofSeconds(15);

  private final World world = World.get();

  @Tag("faults")
  @Scenario(
      number = "42a",
      fault = "a restored database has lost a pause and a resume, then the coupon is closed",
      guards = {"compare-terms", "sync-revision"})
  void an_answered_close_takes_effect_although_earlier_changes_were_lost(Fault fault) {
    var coupon = world.define(aCoupon().withTotal(20_000));
    var past = PastCoupon.of(world, coupon);
    double raised = raised();
    var crowd = world.crowd(coupon, Users.some(5_000)).awaitMidBurst(200);

    fault.strike(crowd, () -> loseAPauseAndAResume(coupon, past));
    crowd.join();
    // Repeated, as the reconciler may have healed the loss before the proof.
    Await.until(
        LIMIT,
        "a proof that reports OTHER_TERMS",
        () -> {
          loseAPauseAndAResume(coupon, past);
          return world.send(Call.proof(coupon)).body().contains("OTHER_TERMS");
        });
    loseAPauseAndAResume(coupon, past);
    fault.mend(() -> assertThat(change(coupon, "close").status()).isEqualTo(200));

    try (var claimant = world.claimant()) {
      for (var user : Users.some(50)) {
        assertThat(claimant.claim(coupon, user).orElseThrow().outcome()).isEqualTo("closed");
      }
    }
    assertThat(raised()).as("raised revisions").isGreaterThan(raised);
    fault.exact(world, coupon);
  }

  private void loseAPauseAndAResume(String coupon, PastCoupon past) {
    assertThat(change(coupon, "pause").status()).isEqualTo(200);
    assertThat(change(coupon, "resume").status()).isEqualTo(200);
    past.putBack();
  }

  @Tag("faults")
  @Scenario(
      number = "42b",
      fault =
          "a restored database has lost that a coupon was closed and archived; slots of it and of"
              + " another coupon of its partition are not released yet",
      guards = "heal-missing-stock")
  void a_missing_stock_is_rebuilt_and_does_not_block_other_coupons(Fault fault) {
    var coupon = world.define(aCoupon().with("returnsToStock", "true"));
    var other = anotherOfItsPartition(coupon);
    var owners = Users.some(5);
    world.crowd(coupon, owners).join();
    var others = Users.some(200);
    world.crowd(other, others).join();
    Await.until(LIMIT, "all rows", () -> rows(coupon) == 5 && rows(other) == 200);
    long epoch = StoredCoupon.read(world.postgres(), coupon).epoch();
    double found = missing();
    var past = PastCoupon.of(world, coupon);
    assertThat(change(coupon, "close").status()).isEqualTo(200);
    Await.until(LIMIT, "the coupon is archived", () -> change(coupon, "archive").status() == 200);
    var crowd = world.crowd(other, Users.some(5_000)).awaitMidBurst(200);

    fault.strike(
        crowd,
        () -> {
          past.putBack();
          returnWithoutRelease(coupon, owners.getFirst());
          returnWithoutRelease(other, others.getFirst());
        });
    fault.healsAutomatically();
    Await.until(STOCK_LIMIT, "a claim that is accepted", () -> isAccepted(coupon, Users.one()));
    crowd.join();
    Await.until(
        LIMIT,
        "all returned slots are released",
        () -> slotsToReturn(coupon) + slotsToReturn(other) == 0);

    assertThat(missing()).as("reported missing stocks").isGreaterThan(found);
    fault.exact(world, coupon);
    assertThat(fault.exact(world, other).rows()).hasSize(201 + 99);
    assertThat(StoredCoupon.read(world.postgres(), coupon).epoch()).isEqualTo(epoch + 1);
    assertThat(change(coupon, "close").status()).isEqualTo(200);
    assertThat(change(coupon, "archive").status()).isEqualTo(200);
  }

  /**
   * A coupon of 299 slots in the same partition. Its id is greater, so the first coupon is
   * processed first.
   */
  private String anotherOfItsPartition(String coupon) {
    String found = "";
    for (int i = 0; i < 50 && found.isEmpty(); i++) {
      var fixture = aCoupon().withTotal(299).with("returnsToStock", "true");
      var candidate = world.define(fixture.with("couponId", "\"Z-%s\"".formatted(fixture.id())));
      found = partition(candidate) == partition(coupon) ? candidate : "";
    }
    assertThat(found).as("a coupon of the same partition").isNotEmpty();
    return found;
  }

  private boolean isAccepted(String coupon, String user) {
    try (var claimant = world.claimant()) {
      return claimant.claim(coupon, user).orElseThrow().isOk();
    }
  }

  private Answer change(String coupon, String change) {
    return world.send(
        Call.of("POST", "/api/v1/admin/coupons/%s/%s".formatted(coupon, change)).operator());
  }

  private int rows(String coupon) {
    return StoredCoupon.read(world.postgres(), coupon).rows().size();
  }

  private long slotsToReturn(String coupon) {
    return StoredCoupon.read(world.postgres(), coupon).slotsToReturn();
  }

  private double raised() {
    return World.metric(world.service(), "firstcome_revisions_raised_total", "");
  }

  private double missing() {
    return World.metric(world.service(), "firstcome_discrepancies_total", "kind=\"MISSING_STOCK\"");
  }

  private int partition(String coupon) {
    try (Connection connection = world.postgres().connect();
        var query =
            connection.prepareStatement("SELECT partition_id FROM coupon WHERE coupon_id = ?")) {
      query.setString(1, coupon);
      try (var found = query.executeQuery()) {
        assertThat(found.next()).isTrue();
        return found.getInt(1);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the partition of " + coupon, e);
    }
  }

  /**
   * The state after an instance has died between the commit of a return and the release of the
   * slot.
   */
  private void returnWithoutRelease(String coupon, String user) {
    try (Connection connection = world.postgres().connect();
        var update =
            connection.prepareStatement(
                "UPDATE user_coupon SET state = 'RETURNED', live = false, ended_at = now(),"
                    + " revision = revision + 1 WHERE user_id = ? AND coupon_number ="
                    + " (SELECT coupon_number FROM coupon WHERE coupon_id = ?)")) {
      update.setString(1, user);
      update.setString(2, coupon);
      assertThat(update.executeUpdate()).isEqualTo(1);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot return the user coupon of " + coupon, e);
    }
  }
}
