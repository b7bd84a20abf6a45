package io.firstcome.systemtests.kit;

import io.firstcome.systemtests.kit.StoredCoupon.Row;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The results of a scenario, in numbers.
 *
 * @param requests claims sent
 * @param unknown requests with an unknown outcome or without an answer
 * @param lost users whose claim was accepted and who have no row when all work is done
 * @param twice surplus rows per user, and surplus live rows per slot
 * @param over live rows above the total
 */
record ScenarioCounts(int requests, int unknown, int lost, int twice, int over) {

  static final ScenarioCounts NONE = new ScenarioCounts(0, 0, 0, 0, 0);

  static ScenarioCounts of(List<RecordedClaim> claims, StoredCoupon stored) {
    Set<String> users = stored.rows().stream().map(Row::user).collect(Collectors.toSet());
    List<Row> live = stored.rows().stream().filter(Row::live).toList();
    long unknown = claims.stream().filter(c -> c.kind() == RecordedClaim.Kind.UNKNOWN).count();
    long lost =
        claims.stream()
            .filter(RecordedClaim::isOk)
            .map(RecordedClaim::user)
            .distinct()
            .filter(user -> !users.contains(user))
            .count();
    return new ScenarioCounts(
        claims.size(),
        (int) unknown,
        (int) lost,
        repeats(stored.rows(), Row::user) + repeats(live, Row::slot),
        Math.max(0, live.size() - stored.total()));
  }

  private static <T> int repeats(List<Row> rows, Function<Row, T> property) {
    return rows.size() - (int) rows.stream().map(property).distinct().count();
  }

  ScenarioCounts plus(ScenarioCounts other) {
    return new ScenarioCounts(
        requests + other.requests,
        unknown + other.unknown,
        lost + other.lost,
        twice + other.twice,
        over + other.over);
  }
}
