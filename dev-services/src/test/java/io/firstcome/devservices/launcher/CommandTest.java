package io.firstcome.devservices.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTest {

  @Test
  void options_have_the_documented_defaults() {
    assertThat(parse("up")).isEqualTo(new Command.Up(8080, false));
    assertThat(parse("demo")).isEqualTo(new Command.Demo(100, 10_000));
  }

  @Test
  void options_are_taken_in_any_order() {
    assertThat(parse("up --fresh --port 9000")).isEqualTo(new Command.Up(9000, true));
    assertThat(parse("demo --users 7 --stock 3")).isEqualTo(new Command.Demo(3, 7));
  }

  @ParameterizedTest
  @EnumSource
  void each_part_can_be_restarted(Part part) {
    assertThat(parse("restart " + part.label())).isEqualTo(new Command.Restart(part));
  }

  @ParameterizedTest
  @ValueSource(strings = {"help", "--help", "-h", "up --help", "demo -h", "restart --help"})
  void help_can_be_asked_for_everywhere(String line) {
    assertThat(parse(line)).isEqualTo(new Command.Help());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "down",
        "up --prot 80",
        "up 8080",
        "up --port",
        "up --port eighty",
        "up --port 0",
        "up --port 65536",
        "up --port -1",
        "demo --stock 0",
        "demo --stock 100000001",
        "demo --users 1000001",
        "demo --users 99999999999",
        "demo --fresh",
        "restart",
        "restart everything",
        "restart redis postgres",
      })
  void anything_else_is_wrong_usage(String line) {
    assertThatThrownBy(() -> parse(line)).isInstanceOf(Command.UsageException.class);
  }

  @Test
  void no_command_at_all_is_wrong_usage() {
    assertThatThrownBy(() -> Command.parse(List.of())).isInstanceOf(Command.UsageException.class);
  }

  private static Command parse(String line) {
    return Command.parse(List.of(line.split(" ", -1)));
  }
}
