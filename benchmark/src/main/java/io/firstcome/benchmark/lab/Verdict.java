package io.firstcome.benchmark.lab;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares the rows, after all background work is done, with the answers that users got.
 *
 * @param rows number of rows
 * @param over rows above the number of slots
 * @param under slots without a row although there were enough users
 * @param duplicates rows of users who already have one
 * @param lost users without a row who got the answer that they won
 * @param unreported users with a row who got the answer "sold out" and never that they won
 */
record Verdict(int rows, int over, int under, int duplicates, int lost, int unreported) {

  /** A verdict without errors. */
  static final Verdict CLEAN = new Verdict(0, 0, 0, 0, 0, 0);

  /**
   * Compares rows and answers.
   *
   * @param owners of the rows, once for each row
   */
  static Verdict of(Load load, Set<String> winners, Set<String> refused, List<String> owners) {
    var distinct = new HashSet<>(owners);
    int rows = owners.size();
    int due = Math.min(load.quantity(), load.users());
    return new Verdict(
        rows,
        Math.max(0, rows - load.quantity()),
        Math.max(0, due - rows),
        rows - distinct.size(),
        (int) winners.stream().filter(user -> !distinct.contains(user)).count(),
        (int)
            distinct.stream()
                .filter(user -> refused.contains(user) && !winners.contains(user))
                .count());
  }

  /** Whether every slot has one row, of a user with one row, and no answer contradicts the rows. */
  boolean exact() {
    return over == 0 && under == 0 && duplicates == 0 && lost == 0 && unreported == 0;
  }

  /** The worse value of each figure, to combine several rounds. */
  Verdict worse(Verdict other) {
    return new Verdict(
        Math.max(rows, other.rows),
        Math.max(over, other.over),
        Math.max(under, other.under),
        Math.max(duplicates, other.duplicates),
        Math.max(lost, other.lost),
        Math.max(unreported, other.unreported));
  }
}
