package io.firstcome.bootstrap.rest;

import io.firstcome.bootstrap.problem.ProblemReportValve;
import io.firstcome.bootstrap.security.Caller;
import java.util.List;
import org.apache.catalina.core.StandardHost;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/** Configures Spring MVC: passes the caller to controllers, and reads JSON strictly. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration implements WebMvcConfigurer {

  @Override
  public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
    resolvers.add(new CallerResolver());
  }

  /**
   * Answers are JSON, whatever {@code Accept} says. Otherwise a call whose answer the client does
   * not accept would be refused after it was executed.
   */
  @Override
  public void configureContentNegotiation(ContentNegotiationConfigurer negotiation) {
    negotiation.ignoreAcceptHeader(true).defaultContentType(MediaType.APPLICATION_JSON);
  }

  /** Converts the exceptions of handlers that are not controllers to problems too. */
  @Override
  public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
    for (var resolver : resolvers) {
      if (resolver instanceof ExceptionHandlerExceptionResolver advice) {
        advice.setMappedHandlerPredicate(handler -> true);
      }
    }
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsFromTomcat() {
    return factory ->
        factory.addContextCustomizers(context -> {
          if (context.getParent() instanceof StandardHost host) {
            host.setErrorReportValveClass(ProblemReportValve.class.getName());
          }
        });
  }

  @Bean
  JsonMapperBuilderCustomizer strictJson() {
    return mapper ->
        mapper
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(
                DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            // Otherwise a blank text is read as null where another type is expected.
            .withCoercionConfigDefaults(all ->
                all.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail)
                    .setAcceptBlankAsEmpty(false))
            .withCoercionConfig(
                LogicalType.Textual,
                text ->
                    text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
  }

  private static final class CallerResolver implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
      return parameter.getParameterType() == Caller.class;
    }

    @Override
    public Object resolveArgument(
        MethodParameter parameter,
        @Nullable ModelAndViewContainer container,
        NativeWebRequest request,
        @Nullable WebDataBinderFactory binderFactory) {
      return Caller.current();
    }
  }
}
