package io.firstcome.application;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockRecovery;
import io.firstcome.domain.port.StockUnavailableException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an instance says of its partitions while one of its servers is away. */
@Timeout(60)
class TakesClaimsTest {

  private final World world = World.with(aCoupon().build());
  private boolean databaseIsAway;
  private boolean stockIsAway;

  private final StockKeeper keeper =
      new StockKeeper(
          world.recoverStock(
              new Interposed((called, _, call) -> {
                if (databaseIsAway && called.getDeclaringClass() == PartitionEpochs.class) {
                  throw new DatabaseUnavailableException(
                      Effect.NONE, "away", new IllegalStateException());
                }
                if (stockIsAway && called.getDeclaringClass() == StockRecovery.class) {
                  throw new StockUnavailableException(Effect.NONE, "away", null);
                }
                return call.call();
              })),
          List.of(World.PARTITION));

  private void keep() {
    try {
      keeper.keep(World.PARTITION);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a test", e);
    }
  }

  private void assertTakesClaims(boolean expected) {
    assertThat(keeper.takesClaims()).isEqualTo(expected);
    assertThat(keeper.closed()).hasSize(expected ? 0 : 1);
  }

  @Test
  void nothing_is_known_before_the_first_look_has_succeeded() {
    databaseIsAway = true;
    assertThatExceptionOfType(DatabaseUnavailableException.class).isThrownBy(this::keep);
    assertThat(keeper.hasLooked()).isFalse();

    databaseIsAway = false;
    keep();

    assertThat(keeper.hasLooked()).isTrue();
    assertTakesClaims(true);
  }

  @Test
  void a_partition_takes_claims_while_the_database_is_away() {
    keep();
    databaseIsAway = true;

    assertThatExceptionOfType(DatabaseUnavailableException.class).isThrownBy(this::keep);
    assertTakesClaims(true);
    keeper.lookAtFences();

    assertTakesClaims(true);
  }

  @Test
  void a_stock_that_was_restarted_takes_none_until_the_database_is_back() {
    keep();
    databaseIsAway = true;
    world.stock.restart();

    keeper.lookAtFences();
    assertTakesClaims(false);
    assertThatExceptionOfType(DatabaseUnavailableException.class).isThrownBy(this::keep);
    assertTakesClaims(false);

    databaseIsAway = false;
    keep();
    assertTakesClaims(true);
  }

  @Test
  void a_stock_that_is_away_takes_none() {
    keep();
    stockIsAway = true;

    keeper.lookAtFences();
    assertTakesClaims(false);

    stockIsAway = false;
    keeper.lookAtFences();
    assertTakesClaims(true);
    stockIsAway = true;
    assertThatExceptionOfType(StockUnavailableException.class).isThrownBy(this::keep);
    assertTakesClaims(false);
  }

  /** Its own claims are refused until it has learnt the epoch. */
  @Test
  void an_epoch_that_this_instance_has_not_learnt_takes_none_of_its_claims()
      throws InterruptedException {
    keep();
    var other = new KnownEpochs();
    world.recoverStock(other).recoverNow(World.PARTITION, RecoverStock.Database.CURRENT);

    keeper.lookAtFences();
    assertTakesClaims(false);

    keep();
    assertTakesClaims(true);
  }
}
