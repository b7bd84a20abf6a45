package io.firstcome.bootstrap.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.adapter.rabbitmq.RabbitLimits;
import org.junit.jupiter.api.Test;

/** A limit of one module must be shorter than a limit of another module. */
class LimitsTest {

  /** Otherwise the database ends the session of a transaction that waits for a slow broker. */
  @Test
  void the_outbox_gives_the_broker_up_before_the_database_gives_the_outbox_up() {
    assertThat(RabbitLimits.defaults().eventTime())
        .isLessThan(PersistenceLimits.defaults().idleInTransaction());
  }
}
