package io.firstcome.bootstrap.rehearsal;

import io.firstcome.application.reconciliation.ProveExactness;
import io.firstcome.application.rehearsal.Crowd;
import io.firstcome.application.rehearsal.RehearsalClones;
import io.firstcome.application.rehearsal.RunRehearsal;
import io.firstcome.application.rehearsal.StartRehearsal;
import io.firstcome.bootstrap.connector.OwnAddress;
import io.firstcome.bootstrap.security.OwnGateway;
import io.firstcome.bootstrap.wiring.FirstcomeProperties;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.port.StockServer;
import io.firstcome.domain.port.UserCouponRepository;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How rehearsals are run. */
@Configuration(proxyBeanMethods = false)
class RehearsalConfiguration {

  private static final int ID_BYTES = 10;

  @Bean
  Crowd rehearsalCrowd(
      OwnAddress address, OwnGateway gateway, ObjectProvider<StockServer> stockServer) {
    return new HttpCrowd(address, gateway, stockServer.getIfAvailable());
  }

  @Bean
  StartRehearsal startRehearsal(
      Rehearsals rehearsals,
      CouponRepository coupons,
      Crowd crowd,
      FirstcomeProperties properties,
      InstantSource clock) {
    var random = new SecureRandom();
    return new StartRehearsal(
        rehearsals, coupons, crowd, () -> cloneId(random), properties.instance(), clock);
  }

  private static CouponId cloneId(SecureRandom random) {
    var bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return new CouponId(
        CouponId.REHEARSAL_PREFIX + HexFormat.of().withUpperCase().formatHex(bytes));
  }

  @Bean
  RunRehearsal runRehearsal(
      Rehearsals rehearsals,
      CouponRepository coupons,
      RehearsalClones clones,
      UserCouponRepository userCoupons,
      ProveExactness proveExactness,
      Crowd crowd,
      ObjectProvider<StockServer> stockServer,
      InstantSource clock) {
    return new RunRehearsal(
        rehearsals,
        coupons,
        clones,
        userCoupons,
        proveExactness,
        crowd,
        stockServer.getIfAvailable(),
        clock);
  }
}
