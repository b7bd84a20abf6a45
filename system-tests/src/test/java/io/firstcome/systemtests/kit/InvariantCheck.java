package io.firstcome.systemtests.kit;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;

import io.firstcome.systemtests.kit.RecordedClaim.Kind;
import io.firstcome.systemtests.kit.StoredCoupon.Row;
import io.firstcome.systemtests.kit.Violation.Invariant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Compares the record of all requests for one coupon with its rows when all work is done. Raised
 * quantities are not supported. A counted loss (a claim rejected after it was accepted) violates
 * I1: a scenario that destroys data on purpose must declare it as a {@link Loss}.
 */
public final class InvariantCheck {

  private final List<RecordedClaim> claims;
  private final List<RecordedClaim> binding;
  private final StoredCoupon stored;
  private final Loss loss;
  private final List<Violation> found = new ArrayList<>();

  private InvariantCheck(List<RecordedClaim> claims, StoredCoupon stored, Loss loss) {
    this.claims = List.copyOf(claims);
    this.binding = claims.stream().filter(claim -> !loss.voids(claim)).toList();
    this.stored = stored;
    this.loss = loss;
  }

  /** All violations of I1, I2, I3, I4, I5 and I7; {@link OrderCheck} checks I9. */
  public static List<Violation> of(List<RecordedClaim> claims, StoredCoupon stored, Loss loss) {
    InvariantCheck check = new InvariantCheck(claims, stored, loss);
    check.answersHaveTheirRow();
    check.rowsAreDistinct();
    check.rowsAreAsManyAsTheyShould();
    check.rowsWereRequested();
    check.answersToOneUserAgree();
    check.soldOutIsTrue();
    return List.copyOf(check.found);
  }

  private void answersHaveTheirRow() {
    Map<String, Row> byUser = new HashMap<>();
    stored.rows().forEach(row -> byUser.putIfAbsent(row.user(), row));
    for (RecordedClaim claim : binding) {
      if (claim.isOk()) {
        Row row = byUser.get(claim.user());
        if (row == null) {
          boolean counted = stored.rejectedUsers().contains(claim.user());
          add(
              Invariant.I1,
              "%s, and no row%s".formatted(description(claim), counted ? " but a rejection" : ""));
        } else if (row.slot() != claim.slot()
            || !row.userCouponId().equals(claim.userCouponId())
            || !row.code().equals(claim.code())) {
          add(Invariant.I1, "%s, and the row is %s".formatted(description(claim), row));
        }
      }
    }
  }

  private void rowsAreDistinct() {
    List<Row> live = stored.rows().stream().filter(Row::live).toList();
    requireDistinct("user", stored.rows(), Row::user);
    requireDistinct("id", stored.rows(), Row::userCouponId);
    requireDistinct("code", stored.rows(), Row::code);
    requireDistinct("slot", live, Row::slot);
    for (Row row : live) {
      if (row.slot() < 1 || row.slot() > stored.total()) {
        add(Invariant.I2, "slot %d of %d".formatted(row.slot(), stored.total()));
      }
    }
  }

  private <T> void requireDistinct(String what, List<Row> rows, Function<Row, T> property) {
    Set<T> seen = new HashSet<>();
    for (Row row : rows) {
      if (!seen.add(property.apply(row))) {
        add(Invariant.I2, "more than one row of one %s: %s".formatted(what, row));
      }
    }
  }

  /**
   * A user with only unknown outcomes may have a row or not. A user with a "sold out" answer was
   * eligible and stands for a slot that another user has. A user coupon that is no longer live has
   * released its slot.
   */
  private void rowsAreAsManyAsTheyShould() {
    long live = stored.liveRows();
    long ended = stored.rows().size() - live;
    long entitled = users(binding, claim -> claim.isOk() || claim.isSoldOut());
    long least = Math.min(stored.total(), entitled) - ended;
    long most = Math.min(stored.total(), users(claims, _ -> true) - ended);
    if (live < least || live > most) {
      add(Invariant.I3, "%d live rows, should be %d to %d".formatted(live, least, most));
    }
  }

  /** A request that was refused without effect does not count. */
  private void rowsWereRequested() {
    Set<String> requested =
        claims.stream()
            .filter(claim -> claim.kind() != Kind.REFUSED)
            .map(RecordedClaim::user)
            .collect(toSet());
    stored.rows().stream()
        .filter(row -> !requested.contains(row.user()))
        .forEach(row ->
            add(Invariant.I4, "no request, or one refused without effect: %s".formatted(row)));
  }

  private void answersToOneUserAgree() {
    requireOneOfEach(claims, a -> "id %s, code %s".formatted(a.userCouponId(), a.code()));
    requireOneOfEach(binding, a -> "slot %d".formatted(a.slot()));
  }

  private void requireOneOfEach(List<RecordedClaim> among, Function<RecordedClaim, String> text) {
    among.stream()
        .filter(RecordedClaim::isOk)
        .collect(groupingBy(RecordedClaim::user))
        .forEach((user, answers) -> {
          Set<String> all = answers.stream().map(text).collect(toCollection(TreeSet::new));
          if (all.size() > 1) {
            add(Invariant.I5, "%s was answered %s".formatted(user, all));
          }
        });
  }

  private void soldOutIsTrue() {
    int issued = stored.rows().size();
    long soldOut = users(claims, RecordedClaim::isSoldOut);
    if (soldOut > 0 && issued < stored.total() && loss.isNone()) {
      add(
          Invariant.I7,
          "%d users were answered sold-out, and %d of %d slots were issued"
              .formatted(soldOut, issued, stored.total()));
    }
  }

  private static long users(List<RecordedClaim> among, Predicate<RecordedClaim> which) {
    return among.stream().filter(which).map(RecordedClaim::user).distinct().count();
  }

  private static String description(RecordedClaim claim) {
    return "request %d of %s was answered %d %s, slot %d, id %s, code %s"
        .formatted(
            claim.id(),
            claim.user(),
            claim.status(),
            claim.outcome(),
            claim.slot(),
            claim.userCouponId(),
            claim.code());
  }

  private void add(Invariant invariant, String finding) {
    found.add(new Violation(invariant, finding));
  }
}
