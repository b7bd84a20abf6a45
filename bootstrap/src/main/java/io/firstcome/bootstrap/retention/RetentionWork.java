package io.firstcome.bootstrap.retention;

import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.retention.RemoveUserCoupons;
import io.firstcome.application.retention.RetentionLimits;
import io.firstcome.application.server.CompareClocks;
import io.firstcome.bootstrap.operation.Loop;
import io.firstcome.bootstrap.operation.WorkInLoops;
import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.bootstrap.refusal.UnknownSettings;
import io.firstcome.bootstrap.wiring.FirstcomeProperties;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.UserCouponRetention;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** The loop that exports and removes user coupons, if the deployment has a retention period. */
@Component
class RetentionWork extends WorkInLoops {

  private final @Nullable RemoveUserCoupons removeUserCoupons;
  private final RetentionLimits pace;

  RetentionWork(
      Environment environment,
      RetentionProperties properties,
      FirstcomeProperties deployment,
      UserCouponRetention rows,
      JsonMapper json,
      CompareClocks clocks,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    super(observer);
    UnknownSettings.refuse(environment, RetentionProperties.PREFIX, RetentionProperties::isKnown);
    var removal = properties.validated();
    if (removal != null && deployment.stock() == StockBackend.POSTGRES) {
      throw new InvalidSettingException(
          "firstcome.retention.period needs a broker: rows are removed after their events are"
              + " published, which firstcome.stock=postgres never does");
    }
    removeUserCoupons =
        removal == null
            ? null
            : new RemoveUserCoupons(
                rows,
                new FileExport(removal.directory(), json),
                removal.period(),
                clocks,
                limits.retention(),
                observer);
    pace = limits.retention();
  }

  @Override
  protected List<Loop> loops() {
    var remove = removeUserCoupons;
    return remove == null
        ? List.of()
        : List.of(
            loop(
                "removing user coupons",
                () -> remove.removeNext() ? pace.pause() : pace.interval()));
  }
}
