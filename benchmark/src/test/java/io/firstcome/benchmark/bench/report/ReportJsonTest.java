package io.firstcome.benchmark.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportJsonTest {

  private final JsonNode json = JsonMapper.shared().readTree(ReportJson.of(Samples.report()));

  @Test
  void each_target_has_its_ratio_its_goal_and_every_round() {
    JsonNode target = json.path("targets").path("P2");

    assertThat(target.path("ratio").asDouble()).isEqualTo(0.45);
    assertThat(target.path("goal").asDouble()).isEqualTo(0.5);
    assertThat(target.path("bound").asString()).isEqualTo("AT_LEAST");
    assertThat(target.path("met").asBoolean()).isFalse();
    assertThat(target.path("unit").asString()).isEqualTo("requests/s");
    assertThat(target.path("rounds").size()).isEqualTo(3);
    assertThat(target.path("rounds").path(0).path("figure").asDouble()).isEqualTo(12_000);
    assertThat(target.path("rounds").path(0).path("reference").asDouble()).isEqualTo(20_000);
    assertThat(target.path("rounds").path(0).path("ratio").asDouble()).isEqualTo(0.6);
    assertThat(json.path("targets").path("P7").path("met").asBoolean()).isTrue();
  }

  @Test
  void what_is_only_reported_has_no_goal() {
    JsonNode target = json.path("targets").path("P5-http-lock");

    assertThat(target.path("ratio").asDouble()).isEqualTo(16);
    assertThat(target.propertyNames()).doesNotContain("goal", "bound", "met");
  }

  @Test
  void what_was_not_measured_and_the_machine_are_told() {
    assertThat(json.path("code").path(0).path("nanos").asDouble()).isEqualTo(1_234.0);
    assertThat(json.path("costs").path("claim").path("Redis").asDouble()).isEqualTo(12.5);
    assertThat(json.path("notMeasured").path("P4").asString()).isEqualTo("not written yet");
    assertThat(json.path("machine").path("processors").asInt()).isEqualTo(2);
    assertThat(json.path("machine").path("memoryMebibytes").asInt()).isEqualTo(8_192);
    assertThat(json.path("machine").path("versions").path("Redis").asString()).isEqualTo("7.0.15");
    assertThat(json.path("machine").path("warnings").size()).isZero();
    assertThat(json.path("startedAt").asString()).isEqualTo("2026-02-03T04:05:06Z");
  }
}
