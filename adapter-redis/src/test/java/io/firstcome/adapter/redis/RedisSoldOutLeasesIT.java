package io.firstcome.adapter.redis;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.stock.HandoffStockUnderTest;
import io.firstcome.contracts.stock.SoldOutLeasesContract;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redis keeps {@link SoldOutLeasesContract}, and its instances share the filter of a ledger. */
class RedisSoldOutLeasesIT extends SoldOutLeasesContract {

  /** More than a page of a ledger, a reply with later users, and a part of a filter. */
  private static final int MANY = 50_000;

  private @Nullable RedisBackend backend;

  @Override
  protected HandoffStockUnderTest emptyBackend() {
    return redis();
  }

  private RedisBackend redis() {
    var empty = RedisBackend.empty(1_000);
    backend = empty;
    return empty;
  }

  private static StockAddress define(RedisBackend redis, int total) {
    return redis.define(aCoupon().returningToStock().withTotal(total).build());
  }

  private static List<ClaimOutcome> claim(
      RedisBackend redis, StockAddress coupon, int from, int to) {
    return IntStream.iterate(from, first -> first < to, first -> first + 500)
        .mapToObj(first ->
            redis
                .stock()
                .claim(
                    coupon,
                    null,
                    IntStream.range(first, Math.min(first + 500, to))
                        .mapToObj(i -> CouponFixtures.claimOf(user(i)))
                        .toList(),
                    Duration.ofSeconds(20))
                .toCompletableFuture()
                .join())
        .flatMap(List::stream)
        .toList();
  }

  private static UserId user(int i) {
    return new UserId("user-" + i);
  }

  private static String filterOf(RedisBackend redis, StockAddress coupon) {
    return redis.commands(commands -> commands.hget(RedisKeys.stock(coupon), "filter"));
  }

  private static void requireAllKnown(SoldOutLease lease, int users) {
    assertThat(IntStream.range(0, users).filter(i -> !lease.mayHaveMark(user(i))).toArray())
        .isEmpty();
  }

  @Test
  void a_second_instance_reads_the_filter_that_the_first_one_has_made() {
    var redis = redis();
    var coupon = define(redis, MANY);
    claim(redis, coupon, 0, MANY);

    var first = redis.leases();
    var second = redis.leases();
    var made = first.request(coupon).orElseThrow();
    var read = second.request(coupon).orElseThrow();

    assertThat(filterOf(redis, coupon)).startsWith("1:");
    requireAllKnown(made, MANY);
    requireAllKnown(read, MANY);
    long wrong = IntStream.range(MANY, 2 * MANY).filter(i -> read.mayHaveMark(user(i))).count();
    assertThat(wrong).isLessThan(MANY / 100);
    assertThat(first.latest(coupon)).isEqualTo(second.latest(coupon));
  }

  @Test
  void users_who_claim_while_a_filter_is_made_are_in_the_next_lease() {
    var redis = redis();
    var coupon = define(redis, 100);
    claim(redis, coupon, 0, 100);
    redis.commands(commands -> commands.hset(RedisKeys.stock(coupon), "filter", "7"));
    redis.commands(commands -> commands.hset(RedisKeys.stock(coupon), "filterUsers", "100"));
    redis.stock().release(coupon, user(5), new Slot(6), 1);
    claim(redis, coupon, 100, 101);
    redis.commands(commands -> commands.hset(RedisKeys.stock(coupon), "filterIsMade", "1"));
    var empty = LedgerFilter.empty(coupon.epoch(), "7", 0).toBytes();
    redis.commands(commands ->
        commands.set(RedisKeys.filter(coupon), Base64.getEncoder().encodeToString(empty)));

    var lease = redis.leases().request(coupon).orElseThrow();

    assertThat(lease.mayHaveMark(user(100))).isTrue();
    assertThat(lease.mayHaveMark(user(1))).as("a user of the filter, which is empty").isFalse();
  }

  @Test
  void an_instance_reads_many_later_users_in_several_replies() {
    var redis = redis();
    var coupon = define(redis, MANY);
    claim(redis, coupon, 0, MANY);
    var leases = redis.leases();
    assertThat(leases.request(coupon)).isPresent();
    leases.end(coupon, leases.latest(coupon));
    int more = 12_000;
    for (int i = 0; i < more; i++) {
      redis.stock().release(coupon, user(i), new Slot(i + 1), 1);
    }
    claim(redis, coupon, MANY, MANY + more);

    requireAllKnown(leases.request(coupon).orElseThrow(), MANY + more);
    assertThat(filterOf(redis, coupon)).startsWith("1:");
  }

  @Test
  void too_many_later_users_require_another_filter() {
    var redis = redis();
    var coupon = define(redis, 2_000);
    claim(redis, coupon, 0, 2_000);
    var leases = redis.leases();
    assertThat(leases.request(coupon)).isPresent();
    leases.end(coupon, leases.latest(coupon));
    for (int i = 0; i < 1_800; i++) {
      redis.stock().release(coupon, user(i), new Slot(i + 1), 1);
    }
    claim(redis, coupon, 2_000, 3_800);

    requireAllKnown(leases.request(coupon).orElseThrow(), 3_800);
    assertThat(filterOf(redis, coupon)).startsWith("2:");
  }

  @Test
  void a_user_whom_neither_filter_nor_list_has_requires_another_filter() {
    var redis = redis();
    var coupon = define(redis, 100);
    claim(redis, coupon, 0, 100);
    var leases = redis.leases();
    assertThat(leases.request(coupon)).isPresent();
    redis.commands(commands -> commands.hset(RedisKeys.ledger(coupon), "user-100", "101"));

    requireAllKnown(leases.request(coupon).orElseThrow(), 101);
    assertThat(filterOf(redis, coupon)).startsWith("2:");
  }

  @Test
  void a_filter_that_nobody_finishes_is_made_by_another_instance_later() {
    var redis = redis();
    var coupon = define(redis, 10);
    claim(redis, coupon, 0, 10);
    var stock = RedisKeys.stock(coupon);
    long now = System.currentTimeMillis();
    redis.commands(commands -> commands.hset(stock, "filter", "1"));
    redis.commands(commands -> commands.hset(stock, "filters", "1"));
    redis.commands(commands -> commands.hset(stock, "filterUsers", "10"));
    redis.commands(commands -> commands.hset(stock, "makerSeen", String.valueOf(now)));

    assertThat(redis.leases().request(coupon)).isEmpty();

    redis.commands(commands ->
        commands.hset(stock, "makerSeen", String.valueOf(now - Duration.ofSeconds(11).toMillis())));
    requireAllKnown(redis.leases().request(coupon).orElseThrow(), 10);
  }

  @Test
  void a_maker_that_takes_long_is_not_replaced() {
    var redis = redis();
    var coupon = define(redis, MANY);
    claim(redis, coupon, 0, MANY);
    var pages = new AtomicInteger();
    var slow =
        beforeEachPage(
            redis.stock(),
            () -> {
              switch (pages.incrementAndGet()) {
                case 1 -> {
                  long tooLongAgo = System.currentTimeMillis() - Duration.ofSeconds(11).toMillis();
                  redis.commands(commands ->
                      commands.hset(
                          RedisKeys.stock(coupon), "makerSeen", String.valueOf(tooLongAgo)));
                  Thread.sleep(Duration.ofMillis(1_100));
                }
                case 2 -> assertThat(redis.leases().request(coupon)).isEmpty();
                default -> {}
              }
              return null;
            });

    requireAllKnown(redis.leases(slow).request(coupon).orElseThrow(), MANY);
    assertThat(filterOf(redis, coupon)).startsWith("1:");
  }

  private static CouponStock beforeEachPage(CouponStock stock, Callable<?> action) {
    return (CouponStock)
        Proxy.newProxyInstance(
            CouponStock.class.getClassLoader(),
            new Class<?>[] {CouponStock.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("ledger")) {
                action.call();
              }
              return method.invoke(stock, arguments);
            });
  }

  @Test
  void a_filter_that_is_lost_is_made_again() {
    var redis = redis();
    var coupon = define(redis, 10);
    claim(redis, coupon, 0, 10);
    assertThat(redis.leases().request(coupon)).isPresent();
    redis.commands(commands -> commands.del(RedisKeys.filter(coupon)));

    requireAllKnown(redis.leases().request(coupon).orElseThrow(), 10);
    assertThat(filterOf(redis, coupon)).startsWith("2:");
  }

  @AfterEach
  void close() {
    if (backend != null) {
      backend.close();
    }
  }
}
