package io.firstcome.bootstrap.rest.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.ServiceJson;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.CouponJson.Definition;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;

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
    assertThat(DefinitionReader.read(shown(CouponJson.view(coupon, null)))).isEqualTo(definition);
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
