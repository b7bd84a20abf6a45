package io.firstcome.bootstrap.rest.coupon;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.application.claim.SuggestCoupons;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.CouponJson.MoneyJson;
import io.firstcome.bootstrap.rest.request.MemberReader;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.Money;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Suggests customers which coupons to claim for an order. */
@RestController
class SuggestionController {

  private final SuggestCoupons suggestCoupons;

  SuggestionController(SuggestCoupons suggestCoupons) {
    this.suggestCoupons = suggestCoupons;
  }

  /** The amount of the order. */
  record Wanted(@Nullable MoneyJson amount) {}

  /**
   * A coupon to claim.
   *
   * @param remaining slots that can still be claimed; absent if that is not known at the moment
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record SuggestionJson(
      String couponId,
      String name,
      MoneyJson discount,
      String closesAt,
      @Nullable Integer remaining) {

    static SuggestionJson of(SuggestCoupons.Suggestion suggestion) {
      var definition = suggestion.coupon().definition();
      return new SuggestionJson(
          definition.couponId().value(),
          definition.name(),
          CouponJson.money(suggestion.discount()),
          definition.window().closesAt().toString(),
          suggestion.remaining().orElse(null));
    }
  }

  /** The suggestions, best first. */
  record ListJson(List<SuggestionJson> items) {}

  @PostMapping("/api/v1/coupons/suggestions")
  ListJson suggest(@RequestBody Wanted wanted, Caller caller) {
    var user = caller.user();
    var amount = AmountReader.amount(wanted.amount());
    return new ListJson(
        suggestCoupons.suggest(user, amount).stream().map(SuggestionJson::of).toList());
  }

  /** Reads the amount of an order. */
  private static final class AmountReader extends MemberReader {

    static Money amount(@Nullable MoneyJson json) {
      var reader = new AmountReader();
      var amount = reader.read("amount", json, money -> reader.money("amount", money));
      if (amount == null) {
        throw reader.invalid(ProblemType.INVALID_ORDER, "order");
      }
      return amount;
    }
  }
}
