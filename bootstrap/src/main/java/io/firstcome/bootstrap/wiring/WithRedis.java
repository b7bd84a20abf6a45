package io.firstcome.bootstrap.wiring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Marks components of a deployment with Redis and a broker, which is the default. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(WithRedis.IsSet.class)
public @interface WithRedis {

  /** Matches unless PostgreSQL is alone. */
  final class IsSet implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return !WithPostgresAlone.IsSet.isSet(context.getEnvironment());
    }
  }
}
