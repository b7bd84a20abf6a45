package io.firstcome.application.recovery;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.stock.KnownEpochs;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.StockUnavailableException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an instance reports of its partitions while one of its servers is not reachable. */
@Timeout(60)
class TakesClaimsTest {

  private final InMemoryService service = InMemoryService.with(aCoupon().build());
  private boolean databaseUnreachable;
  private boolean stockUnreachable;

  /** Runs before each call of the stock. */
  private Runnable duringACheck = () -> {};

  private final StockKeeper keeper =
      new StockKeeper(
          service.recoverStock(
              new Interposed((called, _, call) -> {
                if (databaseUnreachable && called.getDeclaringClass() == PartitionEpochs.class) {
                  throw new DatabaseUnavailableException(
                      Effect.NONE, "not reachable", new IllegalStateException());
                }
                duringACheck.run();
                if (stockUnreachable && called.getDeclaringClass() == StockRecovery.class) {
                  throw new StockUnavailableException(Effect.NONE, "not reachable", null);
                }
                return call.call();
              })),
          List.of(InMemoryService.PARTITION));

  private void keep() {
    try {
      keeper.keep(InMemoryService.PARTITION);
    } catch (InterruptedException e) {
      throw new IllegalStateException("unexpected interrupt of a test", e);
    }
  }

  private void assertTakesClaims(boolean expected) {
    assertThat(keeper.takesClaims()).isEqualTo(expected);
    assertThat(keeper.closed()).hasSize(expected ? 0 : 1);
  }

  @Test
  void no_state_is_known_before_the_first_check_has_succeeded() {
    databaseUnreachable = true;
    assertThatExceptionOfType(DatabaseUnavailableException.class).isThrownBy(this::keep);
    assertThat(keeper.hasLooked()).isFalse();

    databaseUnreachable = false;
    keep();

    assertThat(keeper.hasLooked()).isTrue();
    assertTakesClaims(true);
  }

  @Test
  void a_partition_accepts_claims_while_the_database_is_unreachable() {
    keep();
    databaseUnreachable = true;

    assertThatExceptionOfType(DatabaseUnavailableException.class).isThrownBy(this::keep);
    assertTakesClaims(true);
    keeper.checkFences();

    assertTakesClaims(true);
  }

  @Test
  void a_restarted_stock_accepts_no_claims_until_the_database_is_reachable() {
    keep();
    databaseUnreachable = true;
    service.stock.restart();

    keeper.checkFences();
    assertTakesClaims(false);
    assertThatExceptionOfType(DatabaseUnavailableException.class).isThrownBy(this::keep);
    assertTakesClaims(false);

    databaseUnreachable = false;
    keep();
    assertTakesClaims(true);
  }

  @Test
  void an_unreachable_stock_accepts_no_claims() {
    keep();
    stockUnreachable = true;

    keeper.checkFences();
    assertTakesClaims(false);

    stockUnreachable = false;
    keeper.checkFences();
    assertTakesClaims(true);
    stockUnreachable = true;
    assertThatExceptionOfType(StockUnavailableException.class).isThrownBy(this::keep);
    assertTakesClaims(false);
  }

  /** The instance's own claims are fenced until it knows the epoch. */
  @Test
  void an_instance_accepts_no_claims_until_it_knows_the_epoch() throws InterruptedException {
    keep();
    var other = new KnownEpochs();
    service
        .recoverStock(other)
        .recoverNow(InMemoryService.PARTITION, RecoverStock.Database.CURRENT);

    keeper.checkFences();
    assertTakesClaims(false);

    keep();
    assertTakesClaims(true);
  }

  @Test
  void a_recovery_that_is_requested_during_a_check_is_carried_out_by_the_next_check() {
    keep();
    var epoch = service.epoch();
    duringACheck = () -> keeper.requestRecovery(InMemoryService.PARTITION, epoch);
    keep();
    duringACheck = () -> {};
    assertThat(service.epoch()).isEqualTo(epoch);

    keep();

    assertThat(service.epoch().isAfter(epoch)).isTrue();
    var recovered = service.epoch();
    keep();
    assertThat(service.epoch()).as("the request is done").isEqualTo(recovered);
  }
}
