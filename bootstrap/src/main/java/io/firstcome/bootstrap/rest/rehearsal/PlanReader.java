package io.firstcome.bootstrap.rest.rehearsal;

import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.MemberReader;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.rehearsal.ArrivalCurve;
import io.firstcome.domain.rehearsal.ArrivalCurve.Shape;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads what an operator wants to rehearse or to forecast. */
final class PlanReader extends MemberReader {

  private static final int BURSTS = 10;

  /**
   * A plan, as JSON or as the parameters of a query.
   *
   * @param quantity if missing, that of the coupon, or the most that can be rehearsed
   * @param shape if missing, all users at once
   * @param seconds if missing, 0
   * @param bursts if missing, 10
   */
  record PlanJson(
      @Nullable Integer users,
      @Nullable Integer quantity,
      @Nullable String shape,
      @Nullable Integer seconds,
      @Nullable Integer bursts) {}

  static RehearsalPlan plan(Coupon coupon, PlanJson json) {
    var reader = new PlanReader();
    var users = reader.required("users", json.users());
    var shape =
        json.shape() == null
            ? Shape.AT_ONCE
            : reader.attempt("shape", () -> shape(String.valueOf(json.shape())));
    int total = coupon.definition().totalQuantity();
    int quantity =
        json.quantity() == null ? Math.min(total, RehearsalPlan.MAX_USERS) : json.quantity();
    var arrival =
        shape == null
            ? null
            : reader.attempt(
                "arrival",
                () ->
                    new ArrivalCurve(
                        shape,
                        Duration.ofSeconds(orElse(json.seconds(), 0)),
                        orElse(json.bursts(), BURSTS)));
    var plan =
        users == null || arrival == null
            ? null
            : reader.attempt(
                "users", () -> new RehearsalPlan(coupon.id(), users, quantity, arrival));
    if (plan == null) {
      throw reader.invalid(ProblemType.INVALID_REHEARSAL, "rehearsal");
    }
    return plan;
  }

  private static int orElse(@Nullable Integer value, int other) {
    return value == null ? other : value;
  }

  private static Shape shape(String name) {
    return Arrays.stream(Shape.values())
        .filter(shape -> shape.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "shape must be one of " + Arrays.toString(Shape.values())));
  }
}
