package io.firstcome.devservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.Remote;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GivenServersTest {

  @Test
  void nothing_given_is_nothing_found() {
    GivenServers given = new GivenServers(name -> null);
    assertThat(given.postgres()).isEmpty();
    assertThat(given.redis()).isEmpty();
    assertThat(given.amqp()).isEmpty();
  }

  @Test
  void addresses_are_taken_apart() {
    GivenServers given =
        new GivenServers(
            Map.of(
                    GivenServers.POSTGRES,
                    "jdbc:postgresql://db:15432/coupons?user=u&password=p",
                    GivenServers.REDIS,
                    "redis://cache:16379",
                    GivenServers.AMQP,
                    "amqp://u:p@broker:15672")
                ::get);
    assertThat(given.postgres()).contains(new Remote.Postgres("db", 15432, "coupons", "u", "p"));
    assertThat(given.redis()).contains(new Remote.Redis("cache", 16379));
    assertThat(given.amqp())
        .contains(new Remote.Amqp(AmqpServer.Kind.RABBITMQ, "broker", 15672, "u", "p"));
  }

  @Test
  void a_malformed_address_is_refused_without_telling_the_password() {
    GivenServers given = new GivenServers(name -> "secret@nowhere");
    assertThatThrownBy(given::postgres)
        .hasMessageContaining(GivenServers.POSTGRES)
        .hasMessageNotContaining("secret");
  }

  @Test
  void a_server_that_is_not_ours_cannot_be_killed() {
    Remote.Redis redis = new Remote.Redis("cache", 16379);
    assertThatThrownBy(redis::kill).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(redis::restart).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void the_uri_of_a_broker_names_no_virtual_host() {
    assertThat(new Remote.Amqp(AmqpServer.Kind.QPID, "h", 1, "u", "p").uri())
        .isEqualTo("amqp://u:p@h:1");
  }
}
