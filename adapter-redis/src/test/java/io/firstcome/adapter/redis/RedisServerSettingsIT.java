package io.firstcome.adapter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.Weakness;
import io.firstcome.domain.port.StockUnavailableException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The weaknesses that the adapter finds in the settings of a separate Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisServerSettingsIT {

  @TempDir static Path folder;
  private DevServices services;
  private RedisServer server;

  @BeforeAll
  void start() {
    services = DevServices.in(folder);
    server = services.redis();
  }

  @AfterAll
  void end() {
    services.close();
  }

  @Test
  void a_server_with_the_required_settings_has_no_weakness() {
    assertThat(weaknessesSeenBy(address())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "appendonly, yes, no",
    "appendfsync, always, everysec",
    "no-appendfsync-on-rewrite, no, yes",
    "maxmemory-policy, noeviction, allkeys-lru",
    "repl-backlog-ttl, 0, 3600",
  })
  void each_setting_that_weakens_a_guarantee_is_reported(
      String setting, String wanted, String found) {
    server.command("CONFIG", "SET", setting, found);
    try {
      assertThat(weaknessesSeenBy(address()))
          .singleElement()
          .satisfies(weakness -> {
            assertThat(weakness.setting()).isEqualTo(setting);
            assertThat(weakness.found()).isEqualTo(found);
            assertThat(weakness.wanted()).isEqualTo(wanted);
          });
    } finally {
      server.command("CONFIG", "SET", setting, wanted);
    }
  }

  @Test
  void settings_that_the_user_may_not_read_are_reported() {
    server.command("ACL", "SETUSER", "service", "on", ">secret", "~*", "+@all", "-config");
    var address =
        RedisURI.builder()
            .withHost(server.host())
            .withPort(server.port())
            .withAuthentication("service", "secret".toCharArray())
            .build();

    assertThat(weaknessesSeenBy(address))
        .hasSize(5)
        .extracting(Weakness::sentence)
        .allSatisfy(sentence -> assertThat(sentence).contains("(not readable)"));
  }

  @Test
  void fewer_promotable_replicas_than_required_are_a_weakness() {
    assertThat(weaknessesSeenBy(address(), RedisLimits.defaults().withReplicas(1)))
        .extracting(Weakness::sentence)
        .singleElement()
        .asString()
        .contains("could be promoted is 0 and should be at least 1");
  }

  @Test
  void an_unreachable_server_is_an_exception() {
    server.kill();
    try {
      assertThatThrownBy(() -> weaknessesSeenBy(address()))
          .isInstanceOf(StockUnavailableException.class);
    } finally {
      server.restart();
    }
  }

  private RedisURI address() {
    return RedisURI.create(server.host(), server.port());
  }

  private static List<Weakness> weaknessesSeenBy(RedisURI address) {
    return weaknessesSeenBy(address, RedisLimits.defaults());
  }

  private static List<Weakness> weaknessesSeenBy(RedisURI address, RedisLimits limits) {
    var client = RedisClient.create(address);
    var observer = IssuanceObserver.silent();
    try (var link = new RedisConnection(client, limits.commandTime(), observer);
        var promotable = new PromotableReplicas(client, address, limits, observer)) {
      return new RedisServerSettings(link, promotable, limits).weaknesses();
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }
}
