package io.firstcome.examples;

import io.firstcome.client.Firstcome;
import io.firstcome.client.RefusedException;
import io.firstcome.client.http.ApiException;
import io.firstcome.client.model.Money;
import io.firstcome.client.model.Reason;
import io.firstcome.client.model.RedeemRequest;
import io.firstcome.client.model.Redemption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * How a shop sells with coupons: hold the coupon, take the payment, confirm. What was done is read
 * from Firstcome and from the payment service, so that each step can be repeated, also by {@link
 * #resume} after a crash in between. An order has one coupon at most, and is sold once.
 */
public final class Checkout {

  private static final Duration RETRY_TIME = Duration.ofSeconds(20);

  /** Longer than a payment takes. If this service never returns, the hold ends by itself. */
  private static final String HOLD = "PT15M";

  private static final Set<Redemption.StateEnum> TAKEN =
      EnumSet.of(Redemption.StateEnum.HELD, Redemption.StateEnum.CONFIRMED);

  private final Firstcome shop;
  private final Payments payments;

  /**
   * @param shop access with the id of the shop and the scope {@code coupon:redeem}
   */
  public Checkout(Firstcome shop, Payments payments) {
    this.shop = shop;
    this.payments = payments;
  }

  /** The payment service. All calls are idempotent by order. */
  public interface Payments {

    /** What became of the payment of an order. */
    enum State {
      PENDING,
      PAID,
      DECLINED
    }

    /** Takes the amount from the customer, unless the order was paid before. */
    State pay(String orderId, Money amount);

    State stateOf(String orderId);

    /** Gives the customer the money back. */
    void refund(String orderId);
  }

  /** An order, after the discount. */
  public record Sale(String orderId, String redemptionId, Money discount, Money paid) {}

  /** The order was not sold, and this is final: the customer pays nothing, the coupon is free. */
  public static final class NotSold extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    NotSold(String reason) {
      super(reason);
      this.reason = reason;
    }

    public String reason() {
      return reason;
    }
  }

  /** The payment is pending; {@link #resume} ends the order later. */
  public static final class Pending extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Sells an order with a coupon.
   *
   * @param code what the customer has entered
   * @param customer any id of who has entered it: wrong codes are counted for it
   * @throws RefusedException if the coupon cannot be used on this order; {@code type} says why
   * @throws io.firstcome.client.UnansweredException if Firstcome did not answer. The coupon may be
   *     held and the order paid: call this again, or {@link #resume}, before the order is sold in
   *     another way
   */
  public Sale sell(String orderId, String code, String customer, Money amount)
      throws NotSold, Pending, InterruptedException {
    var before = redemptions(orderId);
    if (before.stream().anyMatch(one -> one.getState() == Redemption.StateEnum.UNDONE)) {
      // Otherwise the repeat of a request from before the cancellation would use the coupon again.
      throw new NotSold("the order was cancelled");
    }
    var request =
        new RedeemRequest()
            .code(code)
            .customerId(customer)
            .orderId(orderId)
            .amount(amount)
            .hold(HOLD);
    var held = shop.repeat(RETRY_TIME, () -> shop.shops().redeem(request));
    var id = held.getRedemptionId();
    if (before.stream().anyMatch(one -> isTaken(one) && !one.getRedemptionId().equals(id))) {
      release(id);
      throw new NotSold("the order has another coupon");
    }
    return finish(held, payments.pay(orderId, toPay(held)));
  }

  /** Ends an order that a crash or a pending payment has left unfinished. */
  public void resume(String orderId) throws InterruptedException {
    var state = payments.stateOf(orderId);
    var redemptions = redemptions(orderId);
    for (var redemption : redemptions) {
      if (isTaken(redemption)) {
        try {
          finish(redemption, state);
        } catch (NotSold | Pending e) {
          // The caller reads the state of the order.
        }
      }
    }
    if (state == Payments.State.PAID && redemptions.stream().noneMatch(Checkout::isTaken)) {
      // The hold has ended by itself.
      payments.refund(orderId);
    }
  }

  /** Undoes a sale: the customer is paid back, and the coupon can be used on another order. */
  public void cancel(String orderId, String reason) throws InterruptedException {
    for (var redemption : redemptions(orderId)) {
      if (redemption.getState() == Redemption.StateEnum.CONFIRMED) {
        var id = redemption.getRedemptionId();
        send(() -> shop.shops().cancel(id, new Reason().reason(reason)));
      }
    }
    payments.refund(orderId);
  }

  private List<Redemption> redemptions(String orderId) throws InterruptedException {
    return shop.repeat(RETRY_TIME, () -> shop.shops().listRedemptionsOfOrder(orderId)).getItems();
  }

  private static boolean isTaken(Redemption redemption) {
    return TAKEN.contains(redemption.getState());
  }

  private Sale finish(Redemption taken, Payments.State payment)
      throws NotSold, Pending, InterruptedException {
    var id = taken.getRedemptionId();
    switch (payment) {
      case PENDING -> throw new Pending();
      case DECLINED -> {
        release(id);
        throw new NotSold("the payment was declined");
      }
      case PAID -> confirm(taken);
    }
    return new Sale(taken.getOrderId(), id, taken.getDiscount(), toPay(taken));
  }

  private void confirm(Redemption taken) throws NotSold, InterruptedException {
    try {
      shop.repeat(RETRY_TIME, () -> shop.shops().confirm(taken.getRedemptionId()));
    } catch (RefusedException e) {
      // The payment took longer than the hold.
      payments.refund(taken.getOrderId());
      throw new NotSold("the coupon was no longer held: " + e.type());
    }
  }

  private void release(String redemptionId) throws InterruptedException {
    send(() -> shop.shops().release(redemptionId));
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
        RETRY_TIME,
        () -> {
          call.send();
          return true;
        });
  }
}
