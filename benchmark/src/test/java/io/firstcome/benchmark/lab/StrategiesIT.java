package io.firstcome.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.rig.ServiceLikeJvm;
import io.firstcome.devservices.DevServices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every strategy with a small load: whether it is as exact as declared, and Firstcome after two
 * kills.
 */
@Tag("slow")
class StrategiesIT {

  private static final Load LOAD = new Load(200, 50, 11);

  private static final Set<String> OVER_ISSUING =
      Set.of("check-then-act", "published-check-then-decrement", "published-set-check");

  private static final Path FOLDER = Path.of("target", "strategies-it").toAbsolutePath();

  @SuppressWarnings("NullAway.Init")
  private static DevServices servers;

  @SuppressWarnings("NullAway.Init")
  private static Stores stores;

  @BeforeAll
  static void start() throws Exception {
    ServiceLikeJvm.prepare();
    Files.createDirectories(FOLDER);
    servers = DevServices.in(FOLDER.resolve("servers"));
    stores =
        new Stores(servers.postgres(), servers.redis(), servers.amqp(), "lab", "lab_firstcome");
    var _ = servers.postgres().createDatabase("lab");
  }

  @AfterAll
  static void stop() {
    servers.close();
  }

  static Stream<Contender> sound() {
    return Contenders.all().stream().filter(Contender::sound);
  }

  static Stream<Contender> unsound() {
    return Contenders.all().stream()
        .filter(contender -> !contender.sound() && !OVER_ISSUING.contains(contender.id()));
  }

  static Stream<Contender> overIssuing() {
    return Contenders.all().stream().filter(contender -> OVER_ISSUING.contains(contender.id()));
  }

  @ParameterizedTest
  @MethodSource("sound")
  void a_sound_strategy_is_exact_and_answers_everybody(Contender contender) throws Exception {
    var result = Turn.run(contender, stores, LOAD);
    assertThat(result.verdict()).isEqualTo(new Verdict(50, 0, 0, 0, 0, 0));
    assertThat(result.burst().failed()).isZero();
    assertThat(result.burst().wins().getTotalCount()).isEqualTo(50);
    assertThat(result.burst().refusals().getTotalCount()).isEqualTo(LOAD.requests().size() - 50);
  }

  /** They fail after a kill, or give up; without a kill none of them allocates a slot twice. */
  @ParameterizedTest
  @MethodSource("unsound")
  void any_other_strategy_gives_no_piece_twice_while_nothing_dies(Contender contender)
      throws Exception {
    var verdict = Turn.run(contender, stores, LOAD).verdict();
    // The number of slots that stay free is random: with few slots the set may issue none.
    assertThat(verdict).isEqualTo(new Verdict(verdict.rows(), 0, 50 - verdict.rows(), 0, 0, 0));
  }

  @ParameterizedTest
  @MethodSource("overIssuing")
  void a_wrong_or_outdated_check_issues_more_than_there_is(Contender contender) throws Exception {
    assertThat(Turn.run(contender, stores, LOAD).verdict().over()).isPositive();
  }

  @Test
  void firstcome_is_exact_after_the_process_was_killed() throws Exception {
    var result =
        new Death(Contender.find("firstcome").orElseThrow(), stores, LOAD).ofTheProcess(FOLDER);
    assertThat(result.winsBefore()).isPositive();
    assertThat(result.verdict()).isEqualTo(new Verdict(50, 0, 0, 0, 0, 0));
  }

  @Test
  void firstcome_is_exact_after_redis_was_killed() throws Exception {
    var result = new Death(Contender.find("firstcome").orElseThrow(), stores, LOAD).ofRedis();
    assertThat(result.winsBefore()).isPositive();
    assertThat(result.verdict()).isEqualTo(new Verdict(50, 0, 0, 0, 0, 0));
  }
}
