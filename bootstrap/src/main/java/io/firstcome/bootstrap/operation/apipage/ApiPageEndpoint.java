package io.firstcome.bootstrap.operation.apipage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.stereotype.Component;
import org.springframework.util.MimeType;

/**
 * Serves Swagger UI with {@code docs/openapi.yaml}. It is exposed only if {@code
 * management.endpoints.web.exposure.include} names {@code apipage}; its scripts may call the
 * service only if {@code firstcome.security.origins} names the origin of the management port.
 *
 * <p>Only files that are named here are served: a look-up of each unknown name would be kept by the
 * class loader.
 */
@Component
@WebEndpoint(id = "apipage")
class ApiPageEndpoint {

  private static final MimeType HTML = MimeType.valueOf("text/html;charset=utf-8");
  private static final MimeType CSS = MimeType.valueOf("text/css;charset=utf-8");
  private static final MimeType SCRIPT = MimeType.valueOf("text/javascript;charset=utf-8");
  private static final MimeType YAML = MimeType.valueOf("application/yaml");

  private static final String LIBRARY = "classpath:/META-INF/resources/webjars/swagger-ui/*/";
  private static final String INDEX = "index.html";
  private static final String DESCRIPTION = "openapi.yaml";

  /** In the description: the service of {@code ./firstcome up}. */
  private static final String USUAL_ADDRESS = "http://127.0.0.1:8080";

  private final Map<String, MimeType> types =
      Map.of(
          INDEX,
          HTML,
          "page.css",
          CSS,
          "page.js",
          SCRIPT,
          "swagger-ui.css",
          CSS,
          "swagger-ui-bundle.js",
          SCRIPT,
          DESCRIPTION,
          YAML);
  private final Environment environment;

  ApiPageEndpoint(Environment environment) {
    this.environment = environment;
  }

  @ReadOperation(produces = "text/html")
  WebEndpointResponse<Resource> index() {
    return new WebEndpointResponse<>(resource(INDEX), HTML);
  }

  /** A file of the page; 404 for any other name. */
  @ReadOperation(produces = {"text/css", "text/javascript", "application/yaml"})
  @Nullable WebEndpointResponse<Resource> file(@Selector String name) {
    var type = types.get(name);
    return type == null ? null : new WebEndpointResponse<>(resource(name), type);
  }

  private Resource resource(String name) {
    try {
      if (name.equals(DESCRIPTION)) {
        return description();
      }
      return name.startsWith("swagger-ui")
          ? new PathMatchingResourcePatternResolver().getResources(LIBRARY + name)[0]
          : new ClassPathResource("api-page/" + name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The description, in which the port of the usual address is that of this service. */
  private Resource description() throws IOException {
    var text =
        new ClassPathResource("api-page/" + DESCRIPTION).getContentAsString(StandardCharsets.UTF_8);
    var address = "http://127.0.0.1:" + environment.getProperty("local.server.port", "8080");
    return new ByteArrayResource(
        text.replace(USUAL_ADDRESS, address).getBytes(StandardCharsets.UTF_8));
  }
}
