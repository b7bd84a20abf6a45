package io.firstcome.adapter.redis;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A master with one replica: when claims are answered, and how a promotion affects the fence. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisReplicaIT {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Epoch EPOCH = new Epoch(1);
  private static final RedisLimits ONE_REPLICA = RedisLimits.defaults().withReplicas(1);

  private final StockAddress coupon =
      new StockAddress(aCoupon().build().id(), aCoupon().build().partition(), EPOCH);

  private DevServices first;
  private DevServices second;
  private RedisBackend backend;

  @BeforeAll
  void start(@TempDir Path folder) {
    first = DevServices.in(folder.resolve("first"));
    second = DevServices.in(folder.resolve("second"));
  }

  @AfterAll
  void stop() {
    first.close();
    second.close();
  }

  private RedisServer master() {
    return first.redis();
  }

  private RedisServer replica() {
    return second.redis();
  }

  @BeforeEach
  void open() {
    master().command("REPLICAOF", "NO", "ONE");
    follow(replica(), master());
    master().command("FLUSHALL");
    backend = RedisBackend.of(master(), ONE_REPLICA);
    backend.connect();
    backend.recovery().begin(coupon.partition(), EPOCH);
    backend.recovery().open(coupon.partition(), EPOCH);
    backend.stock().create(coupon, null, StockTerms.of(aCoupon().build()));
  }

  @AfterEach
  void close() {
    replica().resume();
    backend.close();
  }

  private static void follow(RedisServer follower, RedisServer leader) {
    follower.command("REPLICAOF", leader.host(), Integer.toString(leader.port()));
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!follower.command("INFO", "replication").contains("master_link_status:up")) {
      assertThat(System.nanoTime()).as("time for the replica to follow").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private ClaimOutcome claim(String user) {
    return claim(backend, user);
  }

  private ClaimOutcome claim(RedisBackend of, String user) {
    return of.stock()
        .claim(coupon, null, List.of(CouponFixtures.claimOf(new UserId(user))), PATIENCE)
        .toCompletableFuture()
        .join()
        .getFirst();
  }

  private void assertUnknown(Runnable call) {
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(call::run)
        .havingCause()
        .isInstanceOf(StockUnavailableException.class)
        .satisfies(
            e -> assertThat(((StockUnavailableException) e).effect()).isEqualTo(Effect.UNKNOWN));
  }

  private String ledgerOfReplica(String user) {
    return replica().command("HGET", RedisKeys.ledger(coupon), user);
  }

  @Test
  void an_accepted_claim_is_on_the_replica() {
    assertThat(claim("ann")).isEqualTo(new ClaimOutcome.Accepted(new Slot(1)));
    assertThat(ledgerOfReplica("ann")).isEqualTo("1");
  }

  @Test
  void many_claims_at_once_are_all_on_the_replica() {
    var stock = backend.stock();
    var calls =
        IntStream.rangeClosed(1, 50)
            .mapToObj(i ->
                stock
                    .claim(
                        coupon,
                        null,
                        List.of(CouponFixtures.claimOf(new UserId("user-" + i))),
                        PATIENCE)
                    .toCompletableFuture())
            .toList();

    assertThat(calls)
        .allSatisfy(
            call -> assertThat(call.join().getFirst()).isInstanceOf(ClaimOutcome.Accepted.class));
    assertThat(replica().command("HLEN", RedisKeys.ledger(coupon))).isEqualTo("50");
  }

  @Test
  void a_claim_that_no_replica_acknowledges_is_unknown_and_safe_to_retry() {
    replica().pause();

    assertUnknown(() -> claim("ann"));
    assertUnknown(() -> claim("ann"));
    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> backend.stock().find(coupon, List.of(new UserId("ann"))))
        .matches(e -> e.effect() == Effect.UNKNOWN);

    replica().resume();
    assertThat(claim("ann")).isEqualTo(new ClaimOutcome.AlreadyIssued(new Slot(1)));
    assertThat(backend.stock().find(coupon, List.of(new UserId("ann"))))
        .containsEntry(new UserId("ann"), new LedgerMark.Holds(new Slot(1)));
  }

  @Test
  void a_refusal_that_depends_on_no_write_does_not_wait_for_replicas() {
    backend.stock().apply(coupon, StockTerms.of(aCoupon().withRevision(2).closed().build()));
    replica().pause();

    assertThat(claim("ann")).isEqualTo(new ClaimOutcome.Closed());
  }

  @Test
  void a_claim_that_requires_more_replicas_than_exist_is_unknown() {
    try (var needsTwo = RedisBackend.of(master(), RedisLimits.defaults().withReplicas(2))) {
      needsTwo.connect();

      assertUnknown(() -> claim(needsTwo, "ann"));
    }
  }

  @Test
  void an_acknowledgement_of_another_run_of_the_server_does_not_count() {
    var later = new StockAddress(coupon.couponId(), coupon.partition(), new Epoch(2));

    assertUnknown(() -> backend.copies().made(later).toCompletableFuture().join());
    assertThat(backend.copies().made(coupon).toCompletableFuture().join()).isTrue();
  }

  @Test
  void a_promoted_replica_is_fenced_and_so_is_the_former_master() {
    assertThat(claim("ann")).isEqualTo(new ClaimOutcome.Accepted(new Slot(1)));
    var withoutReplicas = RedisLimits.defaults();
    replica().command("REPLICAOF", "NO", "ONE");
    try (var promoted = RedisBackend.of(replica(), withoutReplicas)) {
      assertFenced(promoted);
    }

    follow(master(), replica());
    try (var demoted = RedisBackend.of(master(), withoutReplicas)) {
      demoted.connect();
      assertThat(demoted.recovery().fence(coupon.partition()).ofThisServer()).isFalse();
      assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> claim(demoted, "bob"));
    }
    master().command("REPLICAOF", "NO", "ONE");
    try (var back = RedisBackend.of(master(), withoutReplicas)) {
      assertFenced(back);
    }
  }

  /** The scripts are loaded, so it is the fence that refuses. */
  private void assertFenced(RedisBackend of) {
    of.connect();
    assertThat(of.recovery().fence(coupon.partition()).ofThisServer()).isFalse();
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(() -> claim(of, "bob"))
        .withCauseInstanceOf(StockFencedException.class);
  }

  /** A replica has its master's replication id, and the fence that its master set. */
  @Test
  void a_replica_in_sync_with_its_master_is_fenced() {
    var fence = RedisKeys.fence(coupon.partition());
    claim("ann");
    assertThat(replica().command("GET", fence)).isEqualTo(master().command("GET", fence));

    try (var ofReplica = RedisBackend.of(replica(), RedisLimits.defaults())) {
      ofReplica.connect();
      assertThat(ofReplica.recovery().fence(coupon.partition()).ofThisServer()).isFalse();
      assertThatExceptionOfType(StockFencedException.class)
          .isThrownBy(() -> ofReplica.stock().find(coupon, List.of(new UserId("ann"))));
    }
  }
}
