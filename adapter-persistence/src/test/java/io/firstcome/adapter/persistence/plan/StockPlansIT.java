package io.firstcome.adapter.persistence.plan;

import static io.firstcome.adapter.persistence.plan.ManyUserCoupons.WELCOME;
import static io.firstcome.contracts.CouponFixtures.codeKeys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.firstcome.adapter.persistence.TestDatabase;
import io.firstcome.adapter.persistence.plan.Plans.Way;
import io.firstcome.adapter.persistence.stock.JooqCouponStock;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * The rows that statements of the stock read, for a coupon with very many user coupons whose stock
 * is in PostgreSQL. A few of its slots are free again.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StockPlansIT {

  private static final StockAddress COUPON = StockAddress.inDatabase(WELCOME, new Partition(0));
  private static final Duration SOON = Duration.ofMinutes(5);
  private static final int GROUP = 100;
  private static final int OTHERS = 3;

  private static final Campaign CAMPAIGN =
      new Campaign(
          new CampaignId("CAMPAIGN-1"),
          1,
          Stream.concat(
                  Stream.of(WELCOME),
                  IntStream.rangeClosed(1, OTHERS).mapToObj(n -> new CouponId("SOLO-" + n)))
              .toList());

  private static final List<Claim> CLAIMS =
      IntStream.rangeClosed(1, GROUP)
          .mapToObj(n -> CouponFixtures.claimOf(new UserId("new-" + n)))
          .toList();

  /** Moves the stock to PostgreSQL; slots that went back and have no new holder become free. */
  private static final List<String> HERE =
      List.of(
          "UPDATE coupon SET stock_backend = 'POSTGRES' WHERE coupon_id = 'WELCOME'",
          """
          UPDATE user_coupon SET slot_free = true, slot_released = true FROM coupon
            WHERE user_coupon.coupon_number = coupon.coupon_number AND coupon_id = 'WELCOME'
              AND NOT live AND NOT slot_released
          """);

  /** So many rows that the planner does not read all of them for a few. */
  private static final String MANY_REJECTED =
      """
      INSERT INTO rejected_claim (coupon_id, user_id, reason, rejected_at)
        SELECT 'WELCOME', 'lost-' || n, 'NO_SLOT_LEFT', now() FROM generate_series(1, 20000) n
      """;

  private final TestDatabase database = new TestDatabase(StockPlansIT.class);
  private final Plans plans;

  StockPlansIT() {
    new ManyUserCoupons(100_000).fill(database);
    HERE.forEach(step -> database.dsl().execute(step));
    database.dsl().execute(MANY_REJECTED);
    database.dsl().execute("VACUUM (ANALYZE) user_coupon, rejected_claim");
    plans = new Plans(database);
  }

  @AfterAll
  void close() {
    plans.close();
    database.close();
  }

  /**
   * A call, and the indexes that its statements may use.
   *
   * @param reads the most rows of tables and indexes that each of its statements may read
   */
  private record Case(String title, Consumer<CouponStock> call, long reads, Set<String> indexes) {

    static Case of(String title, long reads, Consumer<CouponStock> call, String... indexes) {
      return new Case(title, call, reads, Set.of(indexes));
    }
  }

  private static List<Case> cases() {
    return List.of(
        Case.of(
            "claim for a hundred",
            4 * GROUP,
            stock -> stock.claim(COUPON, null, CLAIMS, SOON).toCompletableFuture().join(),
            "coupon_pkey",
            "user_coupon_one_per_user",
            "rejected_claim_pkey",
            "user_coupon_free_slot",
            "user_coupon_one_live_per_slot",
            "user_coupon_earlier_holders",
            "coupon_number_is_unique"),
        Case.of(
            "claim for a hundred, who have other coupons of the campaign",
            (4 + OTHERS) * GROUP,
            stock -> stock.claim(COUPON, CAMPAIGN, CLAIMS, SOON).toCompletableFuture().join(),
            "campaign_pkey",
            "coupon_pkey",
            "user_coupon_one_per_user",
            "rejected_claim_pkey",
            "user_coupon_free_slot",
            "user_coupon_one_live_per_slot",
            "user_coupon_earlier_holders",
            "coupon_number_is_unique"),
        Case.of(
            "find",
            2,
            stock -> stock.find(COUPON, new UserId("nobody")),
            "coupon_pkey",
            "user_coupon_one_per_user",
            "rejected_claim_pkey"),
        Case.of(
            "a page of the ledger",
            3_000,
            stock -> stock.ledger(COUPON, "4000/1 any"),
            "coupon_pkey",
            "user_coupon_one_live_per_slot",
            "user_coupon_earlier_holders"),
        Case.of(
            "a page of the ledger: rejected users",
            3_000,
            stock -> stock.ledger(COUPON, " lost-5"),
            "coupon_pkey",
            "user_coupon_one_per_user",
            "rejected_claim_pkey"),
        Case.of(
            "level",
            GROUP,
            stock -> stock.level(COUPON),
            "coupon_pkey",
            "user_coupon_free_slot",
            "user_coupon_one_live_per_slot",
            "user_coupon_earlier_holders"),
        Case.of(
            "free slots",
            GROUP,
            stock -> stock.returned(COUPON, new Slot(1), 10),
            "coupon_pkey",
            "user_coupon_free_slot"),
        Case.of(
            "release",
            2,
            stock -> stock.release(COUPON, new UserId("next-10"), new Slot(10), 2),
            "coupon_pkey",
            "user_coupon_unreleased_slot"));
  }

  @TestFactory
  Stream<DynamicTest> each_statement_uses_only_its_indexes() {
    return cases().stream()
        .flatMap(one ->
            Stream.of(Way.values())
                .map(way ->
                    dynamicTest("%s, %s".formatted(one.title(), way), () -> check(one, way))));
  }

  private void check(Case one, Way way) {
    var explained =
        plans.ofStatements(
            statements ->
                one.call().accept(new JooqCouponStock(statements, codeKeys(), Runnable::run)),
            way,
            null);
    var used = new TreeSet<String>();
    for (var plan : explained.stream().filter(StockPlansIT::isOfTheStock).toList()) {
      assertThat(plan.tablesReadAsAWhole()).as("tables read as a whole by%n%s", plan).isEmpty();
      assertThat(plan.read()).as("rows read by%n%s", plan).isLessThanOrEqualTo(one.reads());
      used.addAll(plan.indexes());
    }
    assertThat(used).as("indexes of%n%s", explained).isEqualTo(new TreeSet<>(one.indexes()));
  }

  /** jOOQ writes lower case; the other statements of a test are in upper case. */
  private static boolean isOfTheStock(Plan plan) {
    return !Character.isUpperCase(plan.statement().charAt(0));
  }
}
