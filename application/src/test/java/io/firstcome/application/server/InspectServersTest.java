package io.firstcome.application.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.Observation;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.observation.Weakness;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InspectServersTest {

  private static final Weakness LAZY = weakness("one", "lazy");
  private static final Weakness HASTY = weakness("one", "hasty");
  private static final Weakness SMALL = weakness("two", "small");

  private final FakeServer one = new FakeServer("one");
  private final FakeServer two = new FakeServer("two");
  private final Reports reports = new Reports();
  private final InspectServers servers = new InspectServers(List.of(one, two), reports);

  @Test
  void before_the_first_inspection_no_server_counts_as_inspected() {
    assertThat(servers.latest().notAsked()).containsExactly("one", "two");
  }

  @Test
  void servers_with_the_required_settings_have_no_weakness() {
    assertThat(servers.inspect().doubts()).isEmpty();
    assertThat(reports.reported).isEmpty();
  }

  @Test
  void every_weakness_of_every_server_is_found_and_reported_once() {
    one.weaknesses = List.of(LAZY, HASTY);
    two.weaknesses = List.of(SMALL);

    assertThat(servers.inspect().weaknesses()).containsExactly(LAZY, HASTY, SMALL);
    assertThat(servers.inspect()).isEqualTo(servers.latest());
    assertThat(reports.reported).containsExactly("found lazy", "found hasty", "found small");
  }

  @Test
  void changes_between_two_inspections_are_reported() {
    one.weaknesses = List.of(LAZY);
    servers.inspect();
    one.weaknesses = List.of(HASTY);

    assertThat(servers.inspect().weaknesses()).containsExactly(HASTY);
    assertThat(reports.reported).containsExactly("found lazy", "found hasty", "gone lazy");
  }

  @Test
  void an_unreachable_server_is_reported_and_the_others_are_inspected() {
    one.weaknesses = null;
    two.weaknesses = List.of(SMALL);

    assertThat(servers.inspect().doubts())
        .containsExactly(
            "two: small is on and should be off; it is weaker", "one: settings could not be read");
  }

  @Test
  void an_unreachable_server_keeps_its_weaknesses_and_they_are_not_reported_again() {
    one.weaknesses = List.of(LAZY);
    servers.inspect();
    one.weaknesses = null;

    assertThat(servers.inspect().weaknesses()).containsExactly(LAZY);
    one.weaknesses = List.of(LAZY);
    assertThat(servers.inspect().notAsked()).isEmpty();
    assertThat(reports.reported).containsExactly("found lazy");
  }

  private static Weakness weakness(String server, String setting) {
    return new Weakness(server, setting, "on", "off", "it is weaker");
  }

  /** A server with these weaknesses, or unreachable if they are null. */
  private static final class FakeServer implements ServerSettings {

    private final String name;
    private @Nullable List<Weakness> weaknesses = List.of();

    FakeServer(String name) {
      this.name = name;
    }

    @Override
    public String server() {
      return name;
    }

    @Override
    public List<Weakness> weaknesses() {
      var known = weaknesses;
      if (known == null) {
        throw new DatabaseUnavailableException(
            Effect.NONE, "not reachable", new IllegalStateException());
      }
      return known;
    }
  }

  private static final class Reports implements IssuanceObserver {

    private final List<String> reported = new ArrayList<>();

    @Override
    public void observe(Observation observation) {
      switch (observation) {
        case OperationObservation.WeaknessFound(Weakness weakness) ->
            reported.add("found " + weakness.setting());
        case OperationObservation.WeaknessGone(Weakness weakness) ->
            reported.add("gone " + weakness.setting());
        default -> throw new AssertionError(observation);
      }
    }
  }
}
