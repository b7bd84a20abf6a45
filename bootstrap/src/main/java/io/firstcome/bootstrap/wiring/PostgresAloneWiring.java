package io.firstcome.bootstrap.wiring;

import io.firstcome.application.FindStrandedCoupons;
import io.firstcome.application.StockBackends;
import io.firstcome.application.StockKeeper;
import io.firstcome.application.StockOfEachCoupon;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.HandoffLog;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** What a deployment has that nothing has to be carried in, kept open or recovered. */
@Configuration(proxyBeanMethods = false)
@WithPostgresAlone
class PostgresAloneWiring {

  @Bean
  StockBackends stockBackends(FirstcomeProperties properties) {
    return StockBackends.only(properties.stock());
  }

  @Bean
  @Primary
  StockOfEachCoupon stockOfEachCoupon(@Qualifier("postgresCouponStock") CouponStock postgres) {
    return new StockOfEachCoupon(Map.of(StockBackend.POSTGRES, postgres));
  }

  @Bean
  HandoffLog handoffLog() {
    return HandoffLog.none();
  }

  @Bean
  StockKeeper stockKeeper() {
    return StockKeeper.ofNothing();
  }

  @Bean
  FindStrandedCoupons findStrandedCoupons(CouponRepository coupons, StockBackends backends) {
    return new FindStrandedCoupons(coupons, backends);
  }
}
