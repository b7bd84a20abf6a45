package io.firstcome.bootstrap.wiring;

import io.firstcome.application.InstanceSettings;
import io.firstcome.application.PersistencePorts;
import io.firstcome.application.UseCases;
import io.firstcome.application.server.CompareClocks;
import io.firstcome.application.stock.StockBackends;
import io.firstcome.domain.port.CouponStock;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A deployment with PostgreSQL alone: nothing is handed off, fenced or recovered. */
@Configuration(proxyBeanMethods = false)
@WithPostgresAlone
class PostgresAloneWiring {

  @Bean
  StockBackends stockBackends(FirstcomeProperties properties) {
    return StockBackends.only(properties.stock());
  }

  @Bean
  UseCases useCases(
      InstanceSettings settings,
      PersistencePorts database,
      @Qualifier("postgresCouponStock") CouponStock postgres,
      CompareClocks clocks) {
    return UseCases.withDatabaseAlone(settings, database, postgres, clocks);
  }
}
