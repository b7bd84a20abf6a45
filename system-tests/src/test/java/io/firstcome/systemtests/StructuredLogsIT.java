package io.firstcome.systemtests;

import static io.firstcome.systemtests.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.PostgresAlone;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The log in JSON, with the id of a request that met an unexpected error. */
@Tag("slow")
class StructuredLogsIT {

  @Test
  void each_line_is_a_json_object_and_that_of_an_unexpected_error_has_the_id_of_its_request()
      throws IOException, SQLException {
    var settings = Map.of("LOGGING_STRUCTURED_FORMAT_CONSOLE", "ecs");
    try (var alone = new PostgresAlone("structured-logs", settings)) {
      var id = failUnexpectedly(alone).text("requestId");

      var lines = lines(alone.service().logFile());
      assertThat(lines)
          .allSatisfy(line -> {
            assertThat(line.path("@timestamp").asString()).isNotEmpty();
            assertThat(line.path("message").asString()).isNotEmpty();
          });
      assertThat(lines)
          .filteredOn(line -> line.path("requestId").asString().equals(id))
          .singleElement()
          .satisfies(line -> {
            assertThat(line.path("log").path("level").asString()).isEqualTo("ERROR");
            assertThat(line.path("log").path("logger").asString()).startsWith("io.firstcome");
            assertThat(line.path("error").path("stack_trace").asString()).contains("campaign");
          });
    }
  }

  /** A request that needs a table which does not exist. */
  private static Answer failUnexpectedly(PostgresAlone alone) throws SQLException {
    try (var connection = alone.postgres().connect();
        var statement = connection.createStatement()) {
      statement.execute("ALTER TABLE campaign RENAME TO campaign_elsewhere");
    }
    var answer = alone.send(Call.get("/api/v1/admin/campaigns/SUMMER").operator());
    assertProblem(answer, 500, "internal-error");
    return answer;
  }

  private static List<JsonNode> lines(Path log) throws IOException {
    var mapper = JsonMapper.shared();
    return Files.readAllLines(log).stream().map(mapper::readTree).toList();
  }
}
