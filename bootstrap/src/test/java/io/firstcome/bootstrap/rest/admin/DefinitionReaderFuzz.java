package io.firstcome.bootstrap.rest.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.ServiceJson;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.CouponJson.Definition;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.StoredCoupon;
import java.time.Instant;
import java.util.Optional;

/**
 * Bodies of operators' requests: a definition that is shown as it is, or invalid members, which are
 * all named.
 */
public final class DefinitionReaderFuzz {

  private DefinitionReaderFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    var json = ServiceJson.read(input, Definition.class);
    if (json != null) {
      read(json);
    }
    var quantity = ServiceJson.read(input, AdminCouponController.QuantityJson.class);
    if (quantity != null) {
      read(quantity);
    }
  }

  private static void read(Definition json) {
    CouponDefinition definition;
    try {
      var _ = DefinitionReader.stockBackend(json.stockBackend());
      definition = DefinitionReader.read(json);
    } catch (Problem problem) {
      ServiceJson.assertInvalidMembers(problem);
      return;
    }
    var coupon = Coupon.define(definition, new Partition(0), 1, StockBackend.REDIS);
    var now = Instant.EPOCH;
    var view =
        CouponJson.view(
            new ReadCoupon.View(new StoredCoupon(coupon, now, now), Optional.empty(), now));
    assertThat(DefinitionReader.read(shown(view))).isEqualTo(definition);
    assertThat(DefinitionReader.edited(CouponJson.definition(definition), definition.couponId()))
        .isEqualTo(definition);
  }

  private static Definition shown(CouponJson.View view) {
    return new Definition(
        view.couponId(),
        view.name(),
        view.totalQuantity(),
        view.discount(),
        view.minimumOrder(),
        view.opensAt(),
        view.closesAt(),
        view.validity(),
        view.returnsToStock(),
        view.waitingRoom(),
        view.archiveAfter(),
        null,
        null);
  }

  private static void read(AdminCouponController.QuantityJson json) {
    try {
      assertThat(DefinitionReader.totalQuantity(json.totalQuantity()))
          .isBetween(1, CouponDefinition.MAX_TOTAL_QUANTITY);
    } catch (Problem problem) {
      ServiceJson.assertInvalidMembers(problem);
    }
  }
}
