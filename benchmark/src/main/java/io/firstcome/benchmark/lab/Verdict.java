package io.firstcome.benchmark.lab;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the rows say, when all is at rest, of what users were told.
 *
 * @param rows that there are
 * @param over rows above the number of pieces
 * @param under pieces that nobody has although somebody asked for them in vain
 * @param duplicates rows of users who have one before
 * @param lost users who were told that they won, and have no row
 * @param untold users who were told that none is left and never that they won, and have a row
 */
record Verdict(int rows, int over, int under, int duplicates, int lost, int untold) {

  /** Nothing was wrong. */
  static final Verdict CLEAN = new Verdict(0, 0, 0, 0, 0, 0);

  /**
   * Judges.
   *
   * @param owners of the rows, once for each row
   */
  static Verdict of(Load load, Set<String> winners, Set<String> refused, List<String> owners) {
    var distinct = new HashSet<>(owners);
    int rows = owners.size();
    int due = Math.min(load.pieces(), load.users());
    return new Verdict(
        rows,
        Math.max(0, rows - load.pieces()),
        Math.max(0, due - rows),
        rows - distinct.size(),
        (int) winners.stream().filter(user -> !distinct.contains(user)).count(),
        (int)
            distinct.stream()
                .filter(user -> refused.contains(user) && !winners.contains(user))
                .count());
  }

  /** Whether every piece went to one user, once, who knows it, and nobody was told otherwise. */
  boolean exact() {
    return over == 0 && under == 0 && duplicates == 0 && lost == 0 && untold == 0;
  }

  /** The worse of two in every respect: what a table says of several rounds. */
  Verdict worse(Verdict other) {
    return new Verdict(
        Math.max(rows, other.rows),
        Math.max(over, other.over),
        Math.max(under, other.under),
        Math.max(duplicates, other.duplicates),
        Math.max(lost, other.lost),
        Math.max(untold, other.untold));
  }
}
