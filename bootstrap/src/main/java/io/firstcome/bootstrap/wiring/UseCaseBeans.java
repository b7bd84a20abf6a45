package io.firstcome.bootstrap.wiring;

import io.firstcome.application.UseCases;
import java.lang.reflect.Field;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.core.env.Environment;

/** Registers a bean for each use case, so that a class can inject only those that it needs. */
final class UseCaseBeans implements BeanRegistrar {

  @Override
  public void register(BeanRegistry registry, Environment environment) {
    registerAll(registry, UseCases.class);
  }

  /** Registers a bean for each public field of the holder. */
  static <H> void registerAll(BeanRegistry registry, Class<H> holder) {
    for (var field : holder.getFields()) {
      register(registry, holder, field, field.getType());
    }
  }

  private static <H, T> void register(
      BeanRegistry registry, Class<H> holder, Field field, Class<T> type) {
    registry.registerBean(
        type, spec -> spec.supplier(context -> type.cast(value(field, context.bean(holder)))));
  }

  private static Object value(Field field, Object holder) {
    try {
      return field.get(holder);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("not public: " + field, e);
    }
  }
}
