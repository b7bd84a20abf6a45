package io.firstcome.adapter.persistence.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * How PostgreSQL ran a statement, as reported by {@code auto_explain}.
 *
 * @param statement its text, with $1, $2, … where it has parameters
 * @param millis how long it took, including the overhead of {@code auto_explain}
 * @param steps of the plan, each before those that it reads from
 */
record Plan(String statement, double millis, List<Step> steps) {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern MESSAGE =
      Pattern.compile("duration: (?<millis>[0-9.]+) ms {2}plan:\n(?<plan>.*)", Pattern.DOTALL);

  /** One node of the plan tree, with its depth. */
  record Step(JsonNode node, int depth) {

    String kind() {
      return text("Node Type");
    }

    String table() {
      return text("Relation Name");
    }

    String index() {
      return text("Index Name");
    }

    /** The rows that it returned, in all its loops. */
    long rows() {
      return times("Actual Rows");
    }

    /** The rows of a table or an index that it read, including those that were filtered out. */
    long read() {
      return (table().isEmpty() && index().isEmpty()) || kind().equals("ModifyTable")
          ? 0
          : rows() + times("Rows Removed by Filter") + times("Rows Removed by Index Recheck");
    }

    /** The rows that it sorted. */
    long sorted() {
      return kind().endsWith("Sort") ? new Step(node.path("Plans").get(0), 0).rows() : 0;
    }

    boolean ran() {
      return node.path("Actual Loops").asLong() > 0;
    }

    /** Averages are rounded to hundredths, so the product is approximate. */
    private long times(String perLoop) {
      return Math.round(node.path(perLoop).asDouble(0) * node.path("Actual Loops").asLong());
    }

    private String text(String member) {
      return node.path(member).asString("");
    }

    private String name() {
      var on = table().isEmpty() ? "" : " on " + table();
      var by = index().isEmpty() ? "" : " by " + index();
      return "  ".repeat(depth) + kind() + on + by;
    }

    private String words() {
      var result = ran() ? rows() + " rows" : "not run";
      return name() + ": " + result + (read() > rows() ? ", %d read".formatted(read()) : "");
    }
  }

  /** Parses a message of {@code auto_explain} with a plan in JSON. */
  static Plan parse(String message) {
    var matcher = MESSAGE.matcher(message);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("message must contain a plan: '%s'".formatted(message));
    }
    var root = JSON.readTree(matcher.group("plan"));
    var steps = new ArrayList<Step>();
    collect(root.path("Plan"), 0, steps);
    return new Plan(
        root.path("Query Text").asString(""), Double.parseDouble(matcher.group("millis")), steps);
  }

  private static void collect(JsonNode node, int depth, List<Step> steps) {
    steps.add(new Step(node, depth));
    node.path("Plans").forEach(below -> collect(below, depth + 1, steps));
  }

  long gives() {
    return steps.getFirst().rows();
  }

  long read() {
    return sum(Step::read);
  }

  long sorted() {
    return sum(Step::sorted);
  }

  /** Pages of 8 kB that it used, including those of indexes and of rows that are written. */
  long pages() {
    var root = steps.getFirst().node();
    return root.path("Shared Hit Blocks").asLong() + root.path("Shared Read Blocks").asLong();
  }

  Set<String> indexes() {
    return steps.stream()
        .map(Step::index)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  Set<String> tablesReadAsAWhole() {
    return steps.stream()
        .filter(step -> step.kind().endsWith("Seq Scan"))
        .map(Step::table)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The steps without their row counts. */
  String shape() {
    return steps.stream().map(Step::name).collect(Collectors.joining("\n"));
  }

  /** Whether the plan uses parallel workers, which are started for each run. */
  boolean isShared() {
    return steps.stream().anyMatch(step -> step.kind().startsWith("Gather"));
  }

  private long sum(ToLongFunction<Step> member) {
    return steps.stream().mapToLong(member).sum();
  }

  /** The plan tree, with a line for each step. */
  @Override
  public String toString() {
    return steps.stream().map(Step::words).collect(Collectors.joining("\n"))
        + "\n%d rows read, %d sorted, %d pages, %s ms"
            .formatted(read(), sorted(), pages(), String.format(Locale.ROOT, "%.1f", millis));
  }
}
