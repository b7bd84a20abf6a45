package io.firstcome.benchmark.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Writes the results of the lab as JSON. Times are in microseconds. */
final class LabJson {

  private LabJson() {}

  static void write(Path file, List<Line> lines, Load load, int rounds, int deaths)
      throws IOException {
    var json = JsonMapper.shared().createObjectNode();
    json.put("users", load.users())
        .put("stock", load.quantity())
        .put("seed", load.seed())
        .put("callers", Load.CALLERS)
        .put("rounds", rounds)
        .put("deaths", deaths)
        .put("processors", Runtime.getRuntime().availableProcessors());
    var strategies = json.putArray("strategies");
    for (var line : lines) {
      var strategy = strategies.addObject();
      strategy
          .put("id", line.contender().id())
          .put("name", line.contender().name())
          .put("answersPerSecond", line.perSecond())
          .put("winsPerSecond", line.winsPerSecond())
          .put("winP50Micros", line.winMedian().toNanos() / 1_000)
          .put("winP99Micros", line.winSlowest().toNanos() / 1_000)
          .put("refusalP50Micros", line.refusalMedian().toNanos() / 1_000)
          .put("refusalP99Micros", line.refusalSlowest().toNanos() / 1_000)
          .put("durableAfterMicros", line.durableAfter().toNanos() / 1_000)
          .put("noAnswer", line.failed());
      put(strategy.putObject("undisturbed"), line.undisturbed());
      if (deaths > 0) {
        put(strategy.putObject("afterProcessDeath"), line.afterProcessDeath());
        line.afterRedisDeath()
            .ifPresent(verdict -> put(strategy.putObject("afterRedisDeath"), verdict));
      }
    }
    Files.writeString(file, json.toPrettyString() + "\n");
  }

  private static void put(ObjectNode json, Verdict verdict) {
    json.put("rows", verdict.rows())
        .put("over", verdict.over())
        .put("under", verdict.under())
        .put("duplicates", verdict.duplicates())
        .put("lost", verdict.lost())
        .put("unreported", verdict.unreported())
        .put("exact", verdict.exact());
  }
}
