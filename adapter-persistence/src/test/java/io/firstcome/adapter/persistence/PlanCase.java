package io.firstcome.adapter.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.database.DatabasePorts;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A statement that must stay on its indexes however many user coupons there are, and what its plan
 * must be like. A bound is a number of rows that the caller knows: a page, a batch, what one user
 * or one coupon has.
 *
 * @param title what the statement does, in few words
 * @param call of a port, which sends it
 * @param statement how its text begins
 * @param indexes all that it reads by
 * @param gives rows in all
 * @param reads at most so many rows of tables and indexes
 * @param sorts at most so many rows
 * @param pagesPerRow at most so many pages, of 8 kB, for each of the rows that it may read: they
 *     tell what an index is searched through without giving rows
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

  /** The ways down two indexes of four levels, and a page of a table at the end of each. */
  private static final long PAGES_PER_ROW_READ = 10;

  /** The same for up to eight indexes that a row is put into, and a page to put it. */
  private static final long PAGES_PER_ROW_WRITTEN = 50;

  /** Where anything is searched, even if nothing is found. */
  private static final long LEAST_PAGES = 20;

  /** To read fewer rows takes less time than to start another process that helps. */
  private static final long WORTH_SHARING = 10_000;

  /** A statement that reads and gives no more than a row, which is to be changed by the others. */
  static PlanCase reading(String title, Consumer<DatabasePorts> call) {
    return new PlanCase(title, call, "select", Set.of(), 1, 1, 0, PAGES_PER_ROW_READ);
  }

  /** A statement that writes, and begins like this. */
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
            "those that begin with '%s' of %s",
            statement, plans.stream().map(Plan::statement).toList())
        .hasSize(1);
    return own.getFirst();
  }

  void check(Plan plan) {
    assertThat(plan.tablesReadAsAWhole()).as("tables read as a whole by%n%s", plan).isEmpty();
    assertThat(plan.indexes()).as("indexes of%n%s", plan).isEqualTo(indexes);
    assertThat(plan.isShared() && reads < WORTH_SHARING)
        .as("shared with other processes:%n%s", plan)
        .isFalse();
    assertThat(plan.gives()).as("rows given by%n%s", plan).isEqualTo(gives);
    assertThat(plan.read()).as("rows read by%n%s", plan).isLessThanOrEqualTo(reads);
    assertThat(plan.sorted()).as("rows sorted by%n%s", plan).isLessThanOrEqualTo(sorts);
    assertThat(plan.pages())
        .as("pages read by%n%s", plan)
        .isLessThanOrEqualTo(LEAST_PAGES + pagesPerRow * reads);
  }
}
