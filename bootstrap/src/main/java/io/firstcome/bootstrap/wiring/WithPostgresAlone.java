package io.firstcome.bootstrap.wiring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Marks components of a deployment with PostgreSQL alone, {@code firstcome.stock=postgres}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(WithPostgresAlone.IsSet.class)
public @interface WithPostgresAlone {

  /** Reads the setting directly, as it is evaluated before any bean is created. */
  final class IsSet implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return isSet(context.getEnvironment());
    }

    static boolean isSet(Environment environment) {
      return "postgres".equalsIgnoreCase(environment.getProperty("firstcome.stock"));
    }
  }
}
