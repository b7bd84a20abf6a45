package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.client.Credentials;
import io.firstcome.client.Firstcome;
import io.firstcome.client.model.Money;
import io.firstcome.client.model.Redemption;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.examples.Checkout;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.net.URI;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The checkout of the sample, which ends at any step and is resumed. */
@Timeout(60)
class CheckoutIT {

  private static final Money AMOUNT = new Money().minorUnits(3_000L).currency("EUR");

  private final World world = World.get();
  private final Firstcome shop =
      Firstcome.at(
          URI.create("http://127.0.0.1:" + world.servicePort()),
          Credentials.gateway(ServiceProcess.GATEWAY_SECRET)
              .withShop("berlin")
              .withScopes("coupon:redeem"));
  private final String order = "order-" + System.nanoTime();
  private final FakePayments payments = new FakePayments();
  private final Checkout checkout = new Checkout(shop, payments);
  private String code;

  /** Ends the checkout as a crash would. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final class FakePayments implements Checkout.Payments {
    State state = State.DECLINED;
    State next = State.PAID;
    boolean crashesBefore;
    boolean crashesAfter;
    int refunds;

    @Override
    public State pay(String orderId, Money amount) {
      if (crashesBefore) {
        throw new Crash();
      }
      state = next;
      if (crashesAfter) {
        throw new Crash();
      }
      return state;
    }

    @Override
    public State stateOf(String orderId) {
      return state;
    }

    @Override
    public void refund(String orderId) {
      refunds++;
      state = State.DECLINED;
    }
  }

  @BeforeEach
  void claim() {
    var claimed = world.send(Call.claim(world.define(aCoupon())).as(Users.one()).prefer("wait=10"));
    assertThat(claimed.status()).as(claimed.body()).isEqualTo(201);
    code = claimed.json().path("code").asString();
  }

  private void sell() throws Exception {
    checkout.sell(order, code, "ann", AMOUNT);
  }

  private Redemption redemption() throws Exception {
    var all = shop.shops().listRedemptionsOfOrder(order).getItems();
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  @Test
  void after_a_crash_behind_the_payment_the_coupon_is_used() throws Exception {
    payments.crashesAfter = true;
    assertThatExceptionOfType(Crash.class).isThrownBy(this::sell);

    checkout.resume(order);
    checkout.resume(order);

    assertThat(redemption().getState()).isEqualTo(Redemption.StateEnum.CONFIRMED);
    assertThat(payments.refunds).isZero();
  }

  @Test
  void after_a_crash_before_the_payment_the_coupon_is_free() throws Exception {
    payments.crashesBefore = true;
    assertThatExceptionOfType(Crash.class).isThrownBy(this::sell);
    assertThat(redemption().getState()).isEqualTo(Redemption.StateEnum.HELD);

    checkout.resume(order);

    assertThat(redemption().getState()).isEqualTo(Redemption.StateEnum.RELEASED);
  }

  @Test
  void while_the_payment_is_pending_the_coupon_stays_held() throws Exception {
    payments.next = Checkout.Payments.State.PENDING;
    assertThatExceptionOfType(Checkout.Pending.class).isThrownBy(this::sell);

    checkout.resume(order);
    assertThat(redemption().getState()).isEqualTo(Redemption.StateEnum.HELD);

    payments.state = Checkout.Payments.State.PAID;
    checkout.resume(order);
    assertThat(redemption().getState()).isEqualTo(Redemption.StateEnum.CONFIRMED);
  }

  @Test
  void a_payment_whose_hold_has_ended_is_refunded() throws Exception {
    payments.crashesAfter = true;
    assertThatExceptionOfType(Crash.class).isThrownBy(this::sell);
    shop.shops().release(redemption().getRedemptionId());

    checkout.resume(order);

    assertThat(payments.refunds).isOne();
    assertThat(payments.state).isEqualTo(Checkout.Payments.State.DECLINED);
  }
}
