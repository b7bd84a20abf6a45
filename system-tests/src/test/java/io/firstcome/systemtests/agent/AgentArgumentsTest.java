package io.firstcome.systemtests.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.systemtests.agent.HaltPoint.Moment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentArgumentsTest {

  private static final HaltPoint POINT = new HaltPoint("a.B$C", "lambda$m$0", Moment.EXIT, 12);

  @Test
  void a_halt_point_is_parsed_as_it_was_formatted() {
    assertThat(POINT).hasToString("a.B$C#lambda$m$0@exit:12");
    assertThat(HaltPoint.parse("a.B$C#lambda$m$0@exit:12")).isEqualTo(POINT);
    assertThat(HaltPoint.parse("B#m@enter:1").moment()).isEqualTo(Moment.ENTER);
  }

  @Test
  void a_malformed_halt_point_is_refused() {
    for (var wrong :
        List.of(
            "", "a.B", "a.B#m", "a.B#m@enter", "a.B#m@enter:0", "a.B#m@leave:1", "a..B#m@exit:1")) {
      assertThatThrownBy(() -> HaltPoint.parse(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void arguments_are_parsed_as_they_were_formatted() {
    var halt = AgentArguments.haltAt(POINT, Path.of("marker"));
    var freeze = AgentArguments.freezeAt(POINT, Path.of("marker"));
    var clock = AgentArguments.clockWrongBy(Duration.ofHours(-1));
    assertThat(AgentArguments.parse(halt.text())).isEqualTo(halt);
    assertThat(AgentArguments.parse(freeze.text())).isEqualTo(freeze);
    assertThat(AgentArguments.parse(clock.text())).isEqualTo(clock);
  }

  @Test
  void invalid_arguments_are_refused() {
    for (var wrong :
        List.of(
            "",
            "halt",
            "halt=B#m@exit:1",
            "marker=x",
            "clock=soon",
            "clock=PT1H;clock=PT2H",
            "x=y")) {
      assertThatThrownBy(() -> AgentArguments.parse(wrong))
          .as(wrong)
          .isInstanceOf(RuntimeException.class);
    }
  }

  @Test
  void a_marker_is_parsed_as_it_was_formatted() {
    var marker = new HaltMarker(POINT, -5);
    assertThat(HaltMarker.parse(marker.text())).isEqualTo(marker);
  }
}
