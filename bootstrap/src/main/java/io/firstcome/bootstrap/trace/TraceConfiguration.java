package io.firstcome.bootstrap.trace;

import io.firstcome.application.coupon.CouponCatalog;
import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.bootstrap.trace.Step.Part;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.micrometer.tracing.autoconfigure.TracingProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Traces, if the deployment names a collector; else nothing is added to the work of a claim. */
@Configuration(proxyBeanMethods = false)
class TraceConfiguration {

  /** The setting that switches traces on: the address of the collector. */
  private static final String ENDPOINT = "management.opentelemetry.tracing.export.otlp.endpoint";

  @Bean
  ClaimTraces noTraces() {
    return ClaimTraces.NONE;
  }

  /** Whether the deployment names a collector. */
  static boolean isCollectorNamed(Environment environment) {
    return !environment.getProperty(ENDPOINT, "").isBlank();
  }

  /** Matches if the deployment names a collector. */
  static final class IsNamed implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return isCollectorNamed(context.getEnvironment());
    }
  }

  /** With a collector. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(IsNamed.class)
  @EnableConfigurationProperties(TracingProperties.class)
  static class WithCollector {

    @Bean
    Sampling sampling(TracingProperties properties) {
      return new Sampling(properties.getSampling().getProbability());
    }

    @Bean
    StepQueue stepQueue(MeterRegistry registry) {
      return new StepQueue(registry);
    }

    @Bean
    RequestTimes requestTimes() {
      return new RequestTimes();
    }

    @Bean
    @Primary
    ClaimTraces tracedRequests(Sampling sampling, StepQueue queue) {
      return new TracedRequests(sampling, queue, InstantSource.system());
    }

    @Bean
    @Primary
    IssuanceObserver tracedIssuance(
        @Qualifier("meteredIssuance") IssuanceObserver metered,
        Sampling sampling,
        StepQueue queue) {
      return new TracedIssuance(metered, sampling, queue, InstantSource.system());
    }

    @Bean
    ExportTraces exportTraces(
        StepQueue queue,
        Resource resource,
        CouponCatalog catalog,
        CodeKeys codeKeys,
        ObjectProvider<SpanExporter> exporters,
        MeterRegistry registry,
        IssuanceObserver observer) {
      var exporter = exporters.getIfAvailable();
      if (exporter == null) {
        throw new InvalidSettingException(
            ENDPOINT + " is set, and another setting switches the export of traces off");
      }
      var spans = new ClaimSpans(resource, claim -> trace(claim, catalog, codeKeys));
      return new ExportTraces(queue, spans, exporter, registry, observer);
    }

    /** Empty if the coupon or its code key is not known here. */
    private static Optional<ClaimTrace> trace(
        Part claim, CouponCatalog catalog, CodeKeys codeKeys) {
      try {
        return Optional.ofNullable(claim.known())
            .or(() -> derived(claim, catalog, codeKeys))
            .map(ClaimTrace::of);
      } catch (DatabaseUnavailableException e) {
        return Optional.empty();
      }
    }

    private static Optional<UserCouponId> derived(
        Part claim, CouponCatalog catalog, CodeKeys codeKeys) {
      return catalog
          .find(claim.couponId())
          .filter(coupon -> codeKeys.isInstalled(coupon.codeKeyVersion()))
          .map(coupon ->
              codeKeys.identityOf(coupon.codeKeyVersion(), coupon.id(), claim.user()).id());
    }
  }
}
