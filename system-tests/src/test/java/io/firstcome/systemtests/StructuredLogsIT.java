package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

@Tag("slow")
class StructuredLogsIT {

  private final World world = World.get();

  @Test
  void each_line_of_the_log_is_a_json_object_if_that_is_set() throws IOException {
    var settings = Map.of("LOGGING_STRUCTURED_FORMAT_CONSOLE", "ecs");
    try (var instance = World.ready(world.start("structured-logs", settings))) {
      var mapper = JsonMapper.shared();

      var lines = Files.readAllLines(instance.logFile()).stream().map(mapper::readTree).toList();

      assertThat(lines)
          .isNotEmpty()
          .allSatisfy(line -> {
            assertThat(line.path("@timestamp").asString()).isNotEmpty();
            assertThat(line.path("message").asString()).isNotEmpty();
          });
      assertThat(lines)
          .anySatisfy(line ->
              assertThat(line.path("log").path("logger").asString()).startsWith("io.firstcome"));
    }
  }
}
