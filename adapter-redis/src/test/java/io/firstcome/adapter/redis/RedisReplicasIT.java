package io.firstcome.adapter.redis;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.devservices.server.SentinelServer;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.Weakness;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A master and replicas under Sentinel, with at least one replica required: {@code near} and {@code
 * far} could be promoted, {@code reports} has priority 0.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisReplicasIT {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Epoch EPOCH = new Epoch(1);
  private static final RedisLimits ONE_REPLICA = RedisLimits.defaults().withReplicas(1);

  private final StockAddress coupon =
      new StockAddress(aCoupon().build().id(), aCoupon().build().partition(), EPOCH);

  private List<DevServices> services;
  private RedisServer master;
  private RedisServer near;
  private RedisServer far;
  private RedisServer reports;
  private SentinelServer sentinel;
  private RedisBackend backend;

  @BeforeAll
  void start(@TempDir Path folder) {
    services =
        List.of("master", "near", "far", "reports").stream()
            .map(name -> DevServices.in(folder.resolve(name)))
            .toList();
    master = services.get(0).redis();
    near = services.get(1).redis();
    far = services.get(2).redis();
    reports = services.get(3).redis();
    reports.command("CONFIG", "SET", "replica-priority", "0");
    List.of(near, far, reports).forEach(this::follow);
    sentinel = services.getFirst().sentinel();
    // Otherwise Sentinel would reconfigure a replica that hangs or follows another master.
    sentinel.command("SENTINEL", "SET", SentinelServer.MASTER, "failover-timeout", "600000");
    sentinel.command("SENTINEL", "SET", SentinelServer.MASTER, "down-after-milliseconds", "60000");
    List.of(near, far, reports)
        .forEach(replica -> await(() -> sentinelLists().contains("127.0.0.1:" + replica.port())));
  }

  private String sentinelLists() {
    return sentinel.command("SENTINEL", "REPLICAS", SentinelServer.MASTER);
  }

  @AfterAll
  void stop() {
    services.reversed().forEach(DevServices::close);
  }

  @BeforeEach
  void open() {
    List.of(near, far, reports).forEach(this::follow);
    master.command("FLUSHALL");
    backend = RedisBackend.behind(sentinel, master, ONE_REPLICA);
    backend.connect();
    backend.recovery().begin(coupon.partition(), EPOCH);
    backend.recovery().open(coupon.partition(), EPOCH);
    backend.stock().create(coupon, null, StockTerms.of(aCoupon().build()));
    assertThat(backend.weaknesses()).isEmpty();
  }

  @AfterEach
  void close() {
    List.of(near, far, reports, sentinel).forEach(server -> server.resume());
    backend.close();
  }

  private void follow(RedisServer replica) {
    replica.command("REPLICAOF", master.host(), Integer.toString(master.port()));
    await(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
    await(() -> Replication.parse(master.command("INFO", "replication")).isOnline(name(replica)));
  }

  private static String name(RedisServer server) {
    return "127.0.0.1:" + server.port();
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time to wait").isLessThan(end);
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  @Test
  void an_accepted_claim_is_on_every_replica_that_could_be_promoted() {
    for (int i = 1; i <= 50; i++) {
      var user = "user-" + i;
      var slot = new Slot(i);

      assertThat(claim(user)).isEqualTo(new ClaimOutcome.Accepted(slot));
      assertThat(List.of(near, far))
          .allSatisfy(replica ->
              assertThat(replica.command("HGET", RedisKeys.ledger(coupon), user))
                  .isEqualTo(slot.toString()));
    }
  }

  @Test
  void a_lease_that_no_replica_confirms_is_not_granted() {
    var few = aCoupon().withTotal(1).withRevision(2).build();
    backend.stock().remove(coupon);
    backend.recovery().begin(coupon.partition(), EPOCH.next());
    backend.recovery().open(coupon.partition(), EPOCH.next());
    var soldOut = new StockAddress(few.id(), few.partition(), EPOCH.next());
    backend.stock().create(soldOut, null, StockTerms.of(few));
    backend
        .stock()
        .claim(soldOut, null, List.of(CouponFixtures.claimOf(new UserId("ann"))), PATIENCE)
        .toCompletableFuture()
        .join();
    assertThat(backend.leases().request(soldOut)).isPresent();
    far.pause();

    assertThatExceptionOfType(StockUnavailableException.class)
        .isThrownBy(() -> backend.leases().request(soldOut));
  }

  @Test
  void a_claim_that_one_promotable_replica_lacks_is_unknown() {
    far.pause();

    assertUnknown("ann");
    assertThat(near.command("HGET", RedisKeys.ledger(coupon), "ann")).isEqualTo("1");

    far.resume();
    assertThat(claim("ann")).isEqualTo(new ClaimOutcome.AlreadyIssued(new Slot(1)));
  }

  @Test
  void a_claim_is_unknown_while_a_promotable_replica_is_detached_from_the_master() {
    far.command("REPLICAOF", "127.0.0.1", "1");
    await(() ->
        !Replication.parse(master.command("INFO", "replication")).attached().contains(name(far)));

    assertUnknown("ann");
    assertThat(backend.weaknesses())
        .extracting(Weakness::setting, Weakness::found)
        .containsExactly(tuple("replica " + name(far), "not attached"));
  }

  @Test
  void a_claim_does_not_wait_for_a_replica_that_cannot_be_promoted() {
    reports.pause();

    assertThat(claim("ann")).isEqualTo(new ClaimOutcome.Accepted(new Slot(1)));
    assertThat(backend.weaknesses()).isEmpty();
  }

  @Test
  void without_a_current_list_of_replicas_claims_are_unknown() {
    assertThat(claim("ann")).isEqualTo(new ClaimOutcome.Accepted(new Slot(1)));
    sentinel.pause();

    await(() -> backend.promotable().latest().isEmpty());
    assertUnknown("bob");
    assertThat(backend.weaknesses())
        .extracting(Weakness::setting)
        .containsExactly("list of replicas");

    sentinel.resume();
    await(() -> backend.promotable().latest().isPresent());
    assertThat(claim("bob")).isEqualTo(new ClaimOutcome.AlreadyIssued(new Slot(2)));
  }

  @Test
  void without_sentinel_every_attached_replica_must_have_the_claim() {
    try (var direct = RedisBackend.of(master, ONE_REPLICA)) {
      direct.connect();
      reports.pause();

      assertUnknown(direct, "ann");
      reports.resume();
      assertThat(claim(direct, "ann")).isEqualTo(new ClaimOutcome.AlreadyIssued(new Slot(1)));
    }
  }

  @Test
  void a_claim_is_unknown_after_the_replication_script_is_lost_and_the_next_claim_works() {
    master.command("SCRIPT", "FLUSH");
    for (var script : LuaScript.values()) {
      if (script != LuaScript.REPLICATE) {
        master.command("SCRIPT", "LOAD", script.source());
      }
    }

    assertUnknown("ann");
    assertThat(claim("ann")).isEqualTo(new ClaimOutcome.AlreadyIssued(new Slot(1)));
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

  private void assertUnknown(String user) {
    assertUnknown(backend, user);
  }

  private void assertUnknown(RedisBackend of, String user) {
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(() -> claim(of, user))
        .havingCause()
        .isInstanceOfSatisfying(
            StockUnavailableException.class, e -> assertThat(e.effect()).isEqualTo(Effect.UNKNOWN));
  }
}
