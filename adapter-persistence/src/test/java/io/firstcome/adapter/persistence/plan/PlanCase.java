package io.firstcome.adapter.persistence.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.database.DatabasePorts;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A statement that must use only its indexes for any number of user coupons, and the bounds of its
 * plan. A bound is a number of rows that the caller knows: a page, a batch, the user coupons of one
 * user or one coupon.
 *
 * @param title what the statement does, in few words
 * @param call of a port, which sends the statement
 * @param statement the beginning of its text
 * @param indexes all that it uses
 * @param gives rows of its result
 * @param reads the most rows of tables and indexes that it may read
 * @param sorts the most rows that it may sort
 * @param pagesPerRow the most pages, of 8 kB, for each of the rows that it may read; limits
 *     searches through an index that return no rows
 */
record PlanCase(
    String title,
    Consumer<DatabasePorts> call,
    String statement,
    Set<String> indexes,
    long gives,
    long reads,
    long sorts,
    long pagesPerRow) {

  /** The pages of searches in two indexes of four levels, each with one page of a table. */
  private static final long PAGES_PER_ROW_READ = 10;

  /** The pages of one row that is inserted into a table with up to eight indexes. */
  private static final long PAGES_PER_ROW_WRITTEN = 50;

  /** The pages of any search, even if nothing is found. */
  private static final long LEAST_PAGES = 20;

  /** Reading fewer rows than this takes less time than starting a parallel worker. */
  private static final long WORTH_PARALLEL_WORKERS = 10_000;

  /** A statement that reads and returns at most one row; the other methods change the bounds. */
  static PlanCase reading(String title, Consumer<DatabasePorts> call) {
    return new PlanCase(title, call, "select", Set.of(), 1, 1, 0, PAGES_PER_ROW_READ);
  }

  /** A statement that writes, with the beginning of its text. */
  static PlanCase writing(String title, String statement, Consumer<DatabasePorts> call) {
    return new PlanCase(title, call, statement, Set.of(), 0, 1, 0, PAGES_PER_ROW_WRITTEN);
  }

  PlanCase by(String... names) {
    return new PlanCase(
        title, call, statement, new TreeSet<>(List.of(names)), gives, reads, sorts, pagesPerRow);
  }

  PlanCase gives(long rows) {
    return new PlanCase(title, call, statement, indexes, rows, reads, sorts, pagesPerRow);
  }

  PlanCase readsAtMost(long rows) {
    return new PlanCase(title, call, statement, indexes, gives, rows, sorts, pagesPerRow);
  }

  PlanCase sortsAtMost(long rows) {
    return new PlanCase(title, call, statement, indexes, gives, reads, rows, pagesPerRow);
  }

  /** The plan of this case among those of its call. */
  Plan among(List<Plan> plans) {
    var own = plans.stream().filter(plan -> plan.statement().startsWith(statement)).toList();
    assertThat(own)
        .as(
            "statements that begin with '%s' among %s",
            statement, plans.stream().map(Plan::statement).toList())
        .hasSize(1);
    return own.getFirst();
  }

  void check(Plan plan) {
    assertThat(plan.tablesReadAsAWhole()).as("tables read as a whole by%n%s", plan).isEmpty();
    assertThat(plan.indexes()).as("indexes of%n%s", plan).isEqualTo(indexes);
    assertThat(plan.isShared() && reads < WORTH_PARALLEL_WORKERS)
        .as("run with parallel workers:%n%s", plan)
        .isFalse();
    assertThat(plan.gives()).as("rows returned by%n%s", plan).isEqualTo(gives);
    assertThat(plan.read()).as("rows read by%n%s", plan).isLessThanOrEqualTo(reads);
    assertThat(plan.sorted()).as("rows sorted by%n%s", plan).isLessThanOrEqualTo(sorts);
    assertThat(plan.pages())
        .as("pages read by%n%s", plan)
        .isLessThanOrEqualTo(LEAST_PAGES + pagesPerRow * reads);
  }
}
