package io.firstcome.systemtests.kit;

import io.firstcome.systemtests.kit.RecordedClaim.Kind;
import io.firstcome.systemtests.kit.StoredCoupon.Row;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Builds a record and rows for tests of the checks; they agree unless a call makes them differ. */
final class History {

  static final String COUPON = "MADE-UP";

  private final int total;
  private final List<RecordedClaim> claims = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private final Set<String> rejected = new HashSet<>();
  private Loss loss = Loss.NONE;
  private long clock;

  private History(int total) {
    this.total = total;
  }

  static History ofTotal(int total) {
    return new History(total);
  }

  /** An accepted claim and its row. */
  History issued(String user, int slot) {
    return accepted(user, slot).row(user, slot);
  }

  /** An accepted claim, after all earlier events and before all later ones. */
  History accepted(String user, int slot) {
    return answered(user, 202, "ACCEPTED", slot, id(user), code(user), tick(), tick());
  }

  History acceptedBetween(String user, int slot, long begin, long end) {
    return answered(user, 202, "ACCEPTED", slot, id(user), code(user), begin, end);
  }

  History answeredAgain(String user, int slot, String id, String code) {
    return answered(user, 200, "ALREADY_ISSUED", slot, id, code, tick(), tick());
  }

  History soldOut(String user) {
    claims.add(claim(user, Kind.REFUSED, 409, "sold-out", 0, "", "", tick(), tick()));
    return this;
  }

  History neverAnswered(String user) {
    claims.add(claim(user, Kind.UNKNOWN, 0, "", 0, "", "", tick(), Long.MAX_VALUE));
    return this;
  }

  History row(String user, int slot) {
    return row(id(user), user, slot, code(user));
  }

  History row(String id, String user, int slot, String code) {
    rows.add(new Row(id, slot, user, code, "ISSUED", true));
    return this;
  }

  /** The user coupon is returned, and its slot is released. */
  History returned(String user) {
    rows.replaceAll(row -> row.user().equals(user) ? ended(row) : row);
    return this;
  }

  private static Row ended(Row row) {
    return new Row(row.userCouponId(), row.slot(), row.user(), row.code(), "RETURNED", false);
  }

  /** The claim is refused without effect. */
  History recovering(String user) {
    claims.add(claim(user, Kind.REFUSED, 503, "recovering", 0, "", "", tick(), tick()));
    return this;
  }

  /** The last copy of the accepted claims of these users is destroyed at this point. */
  History destroyed(String... users) {
    loss = new Loss(Set.of(users), tick());
    return this;
  }

  History rejected(String user) {
    rejected.add(user);
    return this;
  }

  static String id(String user) {
    return COUPON + "." + user;
  }

  static String code(String user) {
    return "CODE-OF-" + user;
  }

  private long tick() {
    clock++;
    return clock;
  }

  List<Violation> violations() {
    return InvariantCheck.of(claims, stored(), loss);
  }

  ScenarioCounts counts() {
    return ScenarioCounts.of(claims, stored());
  }

  List<Violation> orderViolations() {
    return OrderCheck.of(claims, stored());
  }

  private StoredCoupon stored() {
    return new StoredCoupon(COUPON, total, 1, rows, Set.of(), rejected, 0, 0);
  }

  private History answered(
      String user,
      int status,
      String outcome,
      int slot,
      String id,
      String code,
      long begin,
      long end) {
    claims.add(claim(user, Kind.OK, status, outcome, slot, id, code, begin, end));
    return this;
  }

  private RecordedClaim claim(
      String user,
      Kind kind,
      int status,
      String outcome,
      int slot,
      String id,
      String code,
      long begin,
      long end) {
    return new RecordedClaim(
        claims.size() + 1L, COUPON, user, begin, end, kind, status, outcome, slot, id, code);
  }
}
