package io.firstcome.bootstrap.rest.admin;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.domain.coupon.CouponChange;

/** The problems of changes of a coupon that are not possible. */
final class ChangeProblems {

  private ChangeProblems() {}

  static Problem of(CouponChange.Refused.Reason reason) {
    return switch (reason) {
      case CLOSED_FOR_GOOD ->
          Problem.of(
              ProblemType.CLOSED,
              "The coupon is closed and can only be archived; nothing changed.");
      case ARCHIVED_FOR_GOOD ->
          Problem.of(
              ProblemType.ARCHIVED,
              "The coupon is archived and cannot be changed; nothing changed.");
      case NOT_CLOSED ->
          Problem.of(
              ProblemType.NOT_CLOSED, "Only a closed coupon can be archived; nothing changed.");
      case LOWER_QUANTITY ->
          Problem.of(
              ProblemType.LOWER_QUANTITY,
              "The quantity of a coupon can only be raised; nothing changed.");
      case NOT_PUBLISHED ->
          Problem.of(
              ProblemType.NOT_PUBLISHED,
              "The coupon is a draft, which can only be edited, put into a campaign, published, copied"
                  + " or deleted; nothing changed.");
      case MUST_RETURN_TO_STOCK -> DefinitionReader.mustReturnToStock();
    };
  }
}
