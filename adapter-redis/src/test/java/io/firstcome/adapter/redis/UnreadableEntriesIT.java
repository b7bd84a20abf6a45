package io.firstcome.adapter.redis;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.observation.RecordingObservation;
import io.firstcome.domain.port.HandoffLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Log entries that this release cannot read: of another version, or malformed. */
class UnreadableEntriesIT {

  private static final Epoch EPOCH = new Epoch(1);
  private static final Duration WAIT = Duration.ofMillis(100);

  private final RedisBackend backend = RedisBackend.empty(100);
  private final StockAddress coupon =
      new StockAddress(aCoupon().build().id(), aCoupon().build().partition(), EPOCH);
  private final Partition partition = coupon.partition();
  private final List<String> reasons = new ArrayList<>();
  private final HandoffLog log =
      backend.log(observation -> {
        if (observation instanceof RecordingObservation.EntryUnreadable(_, _, String reason)) {
          reasons.add(reason);
        }
      });

  @BeforeEach
  void open() {
    backend.recovery().begin(partition, EPOCH);
    backend.recovery().open(partition, EPOCH);
    backend.stock().create(coupon, null, StockTerms.of(aCoupon().build()));
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private void claim(String user) {
    var _ =
        backend
            .stock()
            .claim(
                coupon,
                null,
                List.of(CouponFixtures.claimOf(new UserId(user))),
                Duration.ofSeconds(20))
            .toCompletableFuture()
            .join();
  }

  private void write(Map<String, String> fields) {
    var _ = backend.commands(commands -> commands.xadd(RedisKeys.handoff(partition), fields));
  }

  private static List<String> users(List<HandoffEntry> entries) {
    return entries.stream()
        .flatMap(entry -> entry.claims().stream())
        .map(SlotClaim::userId)
        .map(UserId::value)
        .toList();
  }

  @Test
  void unreadable_entries_are_skipped_and_stay_in_the_log() {
    write(Map.of("v", "2", "payload", "x"));
    claim("ann");
    write(Map.of("v", "1", "epoch", "1", "coupon", "FREE", "claims", "nonsense"));
    write(Map.of("v", "1", "epoch", "one", "coupon", "FREE", "claims", "zoe 1"));
    write(Map.of("something", "else"));
    claim("bob");

    assertThat(users(log.readNew(10, WAIT))).containsExactly("ann", "bob");
    assertThat(reasons)
        .containsExactly(
            "unknown version, expected 1",
            "malformed entry of version 1",
            "malformed entry of version 1",
            "unknown version, expected 1");
    assertThat(users(log.readStale(Duration.ZERO, 10))).containsExactly("ann", "bob");
    assertThat(log.depth(partition).entries()).isEqualTo(6);
  }

  @Test
  void a_page_of_unreadable_entries_is_not_the_last_page() {
    for (int i = 0; i < 5; i++) {
      write(Map.of("v", "2"));
    }
    claim("ann");

    assertThat(users(log.peek(partition, null, 2))).containsExactly("ann");
    var last = log.peek(partition, null, 2).getLast().reference().entryId();
    assertThat(log.peek(partition, last, 2)).isEmpty();
    assertThat(reasons).isEmpty();
  }

  @Test
  void unreadable_entries_count_for_the_age_of_the_log() {
    write(Map.of("v", "2"));

    assertThat(log.depth(partition).oldest()).isNotNull();
  }
}
