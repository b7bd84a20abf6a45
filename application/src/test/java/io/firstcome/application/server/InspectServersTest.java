package io.firstcome.application.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.IssuanceObserver;
import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.Weakness;
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
  private final News news = new News();
  private final InspectServers servers = new InspectServers(List.of(one, two), news);

  @Test
  void before_the_first_inspection_no_server_is_vouched_for() {
    assertThat(servers.latest().notAsked()).containsExactly("one", "two");
  }

  @Test
  void servers_that_are_set_as_they_should_be_leave_no_doubt() {
    assertThat(servers.inspect().doubts()).isEmpty();
    assertThat(news.reported).isEmpty();
  }

  @Test
  void every_weakness_of_every_server_is_found_and_told_once() {
    one.weaknesses = List.of(LAZY, HASTY);
    two.weaknesses = List.of(SMALL);

    assertThat(servers.inspect().weaknesses()).containsExactly(LAZY, HASTY, SMALL);
    assertThat(servers.inspect()).isEqualTo(servers.latest());
    assertThat(news.reported).containsExactly("found lazy", "found hasty", "found small");
  }

  @Test
  void what_changes_between_two_inspections_is_told() {
    one.weaknesses = List.of(LAZY);
    servers.inspect();
    one.weaknesses = List.of(HASTY);

    assertThat(servers.inspect().weaknesses()).containsExactly(HASTY);
    assertThat(news.reported).containsExactly("found lazy", "found hasty", "gone lazy");
  }

  @Test
  void a_server_that_is_away_is_in_doubt_and_keeps_no_other_from_being_asked() {
    one.weaknesses = null;
    two.weaknesses = List.of(SMALL);

    assertThat(servers.inspect().doubts())
        .containsExactly(
            "two: small is on and should be off; it is weaker", "one: settings could not be read");
  }

  @Test
  void a_server_that_goes_away_keeps_its_weaknesses_and_tells_nothing_new_when_it_is_back() {
    one.weaknesses = List.of(LAZY);
    servers.inspect();
    one.weaknesses = null;

    assertThat(servers.inspect().weaknesses()).containsExactly(LAZY);
    one.weaknesses = List.of(LAZY);
    assertThat(servers.inspect().notAsked()).isEmpty();
    assertThat(news.reported).containsExactly("found lazy");
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

  private static final class News implements IssuanceObserver {

    private final List<String> reported = new ArrayList<>();

    @Override
    public void weaknessFound(Weakness weakness) {
      reported.add("found " + weakness.setting());
    }

    @Override
    public void weaknessGone(Weakness weakness) {
      reported.add("gone " + weakness.setting());
    }
  }
}
