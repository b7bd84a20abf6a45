package io.firstcome.benchmark.bench.report;

import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The report as JSON: every round of every measure. */
public final class ReportJson {

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private ReportJson() {}

  public static String of(Report report) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("startedAt", report.startedAt().toString());
    root.put("scale", report.scale());
    root.put("complete", report.complete());
    ObjectNode targets = root.putObject("targets");
    report.results().forEach(result -> put(targets.putObject(result.measure().id()), result));
    ObjectNode missing = root.putObject("notMeasured");
    report.notMeasured().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> missing.put(entry.getKey(), entry.getValue()));
    ObjectNode costs = root.putObject("costs");
    for (Cost cost : report.costs()) {
      ObjectNode micros = costs.putObject(cost.request());
      cost.parts().forEach(part -> micros.put(part.program(), part.micros()));
    }
    ArrayNode code = root.putArray("code");
    for (CodeFigure figure : report.code()) {
      code.addObject()
          .put("name", figure.name())
          .put("nanos", figure.nanos())
          .put("error", figure.error())
          .put("bytes", figure.bytes());
    }
    put(root.putObject("machine"), report.machine());
    return MAPPER.writeValueAsString(root) + "\n";
  }

  private static void put(ObjectNode target, Result result) {
    Measure measure = result.measure();
    target.put("what", measure.what());
    target.put("ratio", result.ratio());
    if (measure.goal() != null) {
      target.put("goal", measure.goal().ratio());
      target.put("bound", measure.goal().bound().name());
    }
    result.isMet().ifPresent(met -> target.put("met", met));
    target.put("unit", measure.unit());
    target.put("figure", measure.figure());
    target.put("reference", measure.reference());
    ArrayNode rounds = target.putArray("rounds");
    for (Pair pair : result.rounds()) {
      rounds
          .addObject()
          .put("figure", pair.figure())
          .put("reference", pair.reference())
          .put("ratio", pair.ratio());
    }
  }

  private static void put(ObjectNode node, Machine machine) {
    node.put("processors", machine.processors());
    node.put("memoryMebibytes", machine.memoryMebibytes());
    node.put("jvm", machine.jvm());
    node.put("os", machine.os());
    node.put("loadAverageAtStart", machine.loadAverageAtStart());
    node.put("busyShareAtStart", machine.busyShareAtStart());
    ObjectNode versions = node.putObject("versions");
    machine.versions().forEach(versions::put);
    ArrayNode warnings = node.putArray("warnings");
    machine.warnings().forEach(warnings::add);
  }
}
