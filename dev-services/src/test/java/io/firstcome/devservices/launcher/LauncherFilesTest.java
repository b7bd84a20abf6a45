package io.firstcome.devservices.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.devservices.launcher.demo.ScriptCallCount;
import io.firstcome.devservices.launcher.terminal.LauncherException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LauncherFilesTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

  @TempDir Path folder;

  @Test
  void the_sample_coupon_keeps_its_first_definition() {
    Path file = folder.resolve("sample.json");
    DefinitionBody first = DefinitionBody.sample(file, NOW);
    assertThat(DefinitionBody.sample(file, NOW.plusSeconds(9_999))).isEqualTo(first);
    JsonNode json = JsonMapper.shared().readTree(first.json());
    assertThat(json.get("couponId").asString()).isEqualTo("WELCOME2025");
    assertThat(json.get("totalQuantity").asInt()).isEqualTo(100);
    assertThat(json.get("opensAt").asString()).isEqualTo("2026-01-02T03:03:05Z");
  }

  @Test
  void a_demo_coupon_has_a_new_and_valid_id_each_time() {
    DefinitionBody one = DefinitionBody.forDemo(7, NOW);
    DefinitionBody other = DefinitionBody.forDemo(7, NOW.plusMillis(1));
    assertThat(one.couponId()).matches("[A-Z0-9][A-Z0-9-]{1,39}");
    assertThat(other.couponId()).isNotEqualTo(one.couponId());
    assertThat(JsonMapper.shared().readTree(one.json()).get("totalQuantity").asInt()).isEqualTo(7);
  }

  @Test
  void the_control_file_is_read_as_written_and_private() throws Exception {
    Home home = new Home(folder, folder.resolve("no.jar"));
    new ControlFile(12_345, "token").write(home);
    assertThat(ControlFile.read(home)).isEqualTo(new ControlFile(12_345, "token"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.controlFile())))
        .isEqualTo("rw-------");
  }

  @Test
  void a_restart_without_a_running_up_says_so() {
    Home home = new Home(folder, folder.resolve("no.jar"));
    assertThatThrownBy(() -> ControlFile.read(home))
        .isInstanceOf(LauncherException.class)
        .hasMessageContaining("nothing to restart");
  }

  @Test
  void script_calls_are_read_from_the_statistics_of_commands() {
    assertThat(
            ScriptCallCount.evalsha(
                """
                # Commandstats
                cmdstat_eval:calls=5,usec=1
                cmdstat_evalsha:calls=123,usec=456,usec_per_call=3.71
                """))
        .isEqualTo(123);
    assertThat(ScriptCallCount.evalsha("# Commandstats\r\n")).isZero();
  }
}
