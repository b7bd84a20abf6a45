package io.firstcome.examples;

import io.firstcome.client.Firstcome;
import io.firstcome.client.RefusedException;
import io.firstcome.client.http.ApiException;
import io.firstcome.client.model.Money;
import io.firstcome.client.model.Reason;
import io.firstcome.client.model.RedeemRequest;
import io.firstcome.client.model.Redemption;
import java.time.Duration;
import java.util.Objects;

/**
 * How a shop sells with coupons: hold, take the payment, confirm. Each step can be repeated after
 * any failure. If this service dies in between, {@link #resume} decides by what Firstcome has
 * stored.
 */
public final class Checkout {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Longer than any payment takes. If this service never returns, the hold ends by itself. */
  private static final String HOLD = "PT15M";

  private final Firstcome shop;
  private final Payments payments;

  /**
   * @param shop access with the id of the shop and the scope {@code coupon:redeem}
   */
  public Checkout(Firstcome shop, Payments payments) {
    this.shop = shop;
    this.payments = payments;
  }

  /** The payment service. Both calls are idempotent by order. */
  public interface Payments {

    /** Takes the amount from the customer. */
    boolean pay(String orderId, Money amount);

    /** Whether the order was paid. */
    boolean isPaid(String orderId);
  }

  /** An order, after the discount. */
  public record Sale(String orderId, String redemptionId, Money discount, Money paid) {}

  /** The customer's payment was declined, and the coupon can be used again. */
  public static final class PaymentDeclined extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Sells an order with a coupon.
   *
   * @param code what the customer has entered
   * @throws RefusedException if the coupon cannot be used on this order; {@code type} says why
   * @throws io.firstcome.client.UnansweredException if Firstcome did not answer; sell again, or
   *     without the coupon
   */
  public Sale sell(String orderId, String code, Money amount)
      throws PaymentDeclined, InterruptedException {
    var request = new RedeemRequest().code(code).orderId(orderId).amount(amount).hold(HOLD);
    var held = shop.repeat(PATIENCE, () -> shop.shops().redeem(request));
    return finish(held, payments.pay(orderId, toPay(held)));
  }

  /**
   * Ends what a crash has left unfinished: an order is either paid and its coupon used, or neither.
   */
  public void resume(String orderId) throws InterruptedException {
    var redemptions = shop.repeat(PATIENCE, () -> shop.shops().listRedemptionsOfOrder(orderId));
    for (var redemption : redemptions.getItems()) {
      if (redemption.getState() == Redemption.StateEnum.HELD) {
        try {
          finish(redemption, payments.isPaid(orderId));
        } catch (PaymentDeclined e) {
          // The hold is released.
        }
      }
    }
  }

  /** The order is cancelled after it was paid: its coupon can be used on another order. */
  public void cancel(String redemptionId, String reason) throws InterruptedException {
    send(() -> shop.shops().cancel(redemptionId, new Reason().reason(reason)));
  }

  private Sale finish(Redemption held, boolean paid) throws PaymentDeclined, InterruptedException {
    var id = held.getRedemptionId();
    if (!paid) {
      send(() -> shop.shops().release(id));
      throw new PaymentDeclined();
    }
    if (held.getState() == Redemption.StateEnum.HELD) {
      shop.repeat(PATIENCE, () -> shop.shops().confirm(id));
    }
    return new Sale(held.getOrderId(), id, held.getDiscount(), toPay(held));
  }

  private static Money toPay(Redemption redemption) {
    var amount = redemption.getAmount();
    long discount = Objects.requireNonNull(redemption.getDiscount().getMinorUnits());
    return new Money().minorUnits(amount.getMinorUnits() - discount).currency(amount.getCurrency());
  }

  @FunctionalInterface
  private interface WithoutResult {
    void send() throws ApiException;
  }

  private void send(WithoutResult call) throws InterruptedException {
    shop.repeat(
        PATIENCE,
        () -> {
          call.send();
          return true;
        });
  }
}
