package io.firstcome.devservices.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.devservices.launcher.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

class LauncherUsageTest {

  private final Home home = new Home(Path.of("unused"), Path.of("unused.jar"));
  private final CommandLine commandLine =
      Launcher.commandLine(home, new Terminal(System.out, false));

  @Test
  void options_have_the_documented_defaults() {
    assertThat(option("up", "--port")).isEqualTo(8080);
    assertThat(option("up", "--fresh")).isEqualTo(false);
    assertThat(option("demo", "--stock")).isEqualTo(100);
    assertThat(option("demo", "--users")).isEqualTo(10_000);
  }

  @Test
  void options_are_taken_in_any_order() {
    assertThat(option("up --fresh --port 9000", "--port")).isEqualTo(9000);
    assertThat(option("up --fresh --port 9000", "--fresh")).isEqualTo(true);
    assertThat(option("demo --users 7 --stock 3", "--stock")).isEqualTo(3);
    assertThat(option("demo --users 7 --stock 3", "--users")).isEqualTo(7);
  }

  @ParameterizedTest
  @EnumSource
  void each_part_can_be_restarted(Part part) {
    assertThat(parse("restart " + part.label()).matchedPositionals().getFirst().<Part>getValue())
        .isEqualTo(part);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "help",
        "--help",
        "-h",
        "up --help",
        "demo -h",
        "restart --help",
        "rehearse --help"
      })
  void help_can_be_asked_for_everywhere(String line) {
    var output = new StringWriter();

    assertThat(commandLine.setOut(new PrintWriter(output)).execute(line.split(" ", -1))).isZero();

    assertThat(output.toString()).startsWith("Usage: ./firstcome");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "down",
        "token --user ann --scope nonsense",
        "token --minutes 0",
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
        "rehearse --users 0",
        "rehearse --quantity 1000001",
        "rehearse --seconds 601",
        "rehearse WELCOME",
      })
  void anything_else_is_wrong_usage(String line) {
    assertThatExceptionOfType(ParameterException.class).isThrownBy(() -> parse(line));
  }

  @Test
  void only_settings_of_operators_are_passed_to_the_service() {
    assertThat(
            Stack.settings(
                Map.of(
                    "FIRSTCOME_LIMITS_CLAIMS_CALLTIME", "900ms",
                    "FIRSTCOME_OWNERSUSE", "true",
                    "FIRSTCOME_HOME", "/somewhere",
                    "FIRSTCOME_CODEKEYS_1", "secret",
                    "PATH", "/bin")))
        .containsOnlyKeys("FIRSTCOME_LIMITS_CLAIMS_CALLTIME", "FIRSTCOME_OWNERSUSE");
  }

  @Test
  void no_command_at_all_is_wrong_usage() {
    var output = new StringWriter();

    assertThat(commandLine.setErr(new PrintWriter(output)).execute()).isEqualTo(2);

    assertThat(output.toString()).startsWith("Missing required subcommand");
  }

  private Object option(String line, String name) {
    return parse(line).commandSpec().findOption(name).getValue();
  }

  private ParseResult parse(String line) {
    return commandLine.parseArgs(line.split(" ", -1)).subcommand();
  }
}
