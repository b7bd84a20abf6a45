package io.firstcome.adapter.persistence;

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
 * How PostgreSQL has run a statement: what {@code auto_explain} tells of it.
 *
 * @param statement its text, with $1, $2, … where it has parameters
 * @param millis how long it took, with the telling
 * @param steps of the plan, each before those that it reads from
 */
record Plan(String statement, double millis, List<Step> steps) {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Pattern TOLD =
      Pattern.compile("duration: (?<millis>[0-9.]+) ms {2}plan:\n(?<plan>.*)", Pattern.DOTALL);

  /** One node of the tree, so and so deep in it. */
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

    /** Those that it gave, in all its loops. */
    long rows() {
      return times("Actual Rows");
    }

    /** Those of a table or an index that it had before it, also where they were not wanted. */
    long read() {
      return (table().isEmpty() && index().isEmpty()) || kind().equals("ModifyTable")
          ? 0
          : rows() + times("Rows Removed by Filter") + times("Rows Removed by Index Recheck");
    }

    /** Those that it put into an order. */
    long sorted() {
      return kind().endsWith("Sort") ? new Step(node.path("Plans").get(0), 0).rows() : 0;
    }

    boolean ran() {
      return node.path("Actual Loops").asLong() > 0;
    }

    /** Averages are rounded to hundredths, so the product may be off by as much. */
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
      var given = ran() ? rows() + " rows" : "not run";
      return name() + ": " + given + (read() > rows() ? ", %d read".formatted(read()) : "");
    }
  }

  /** What the message says, which is one of {@code auto_explain} with a plan in JSON. */
  static Plan parse(String message) {
    var told = TOLD.matcher(message);
    if (!told.matches()) {
      throw new IllegalArgumentException("message must tell a plan: '%s'".formatted(message));
    }
    var root = JSON.readTree(told.group("plan"));
    var steps = new ArrayList<Step>();
    collect(root.path("Plan"), 0, steps);
    return new Plan(
        root.path("Query Text").asString(""), Double.parseDouble(told.group("millis")), steps);
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

  /** 8 kB each, those of indexes and of rows that are written included. */
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

  /** Which steps there are, whatever they did. */
  String shape() {
    return steps.stream().map(Step::name).collect(Collectors.joining("\n"));
  }

  /** Whether other processes were to help with it, which are started each time. */
  boolean isShared() {
    return steps.stream().anyMatch(step -> step.kind().startsWith("Gather"));
  }

  private long sum(ToLongFunction<Step> member) {
    return steps.stream().mapToLong(member).sum();
  }

  /** The tree, a line for each step. */
  @Override
  public String toString() {
    return steps.stream().map(Step::words).collect(Collectors.joining("\n"))
        + "\n%d rows read, %d sorted, %d pages, %s ms"
            .formatted(read(), sorted(), pages(), String.format(Locale.ROOT, "%.1f", millis));
  }
}
