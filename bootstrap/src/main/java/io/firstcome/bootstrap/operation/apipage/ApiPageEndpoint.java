package io.firstcome.bootstrap.operation.apipage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
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
 * Serves Swagger UI with {@code docs/openapi.yaml}. It exists only if {@code
 * management.endpoints.web.exposure.include} names {@code apipage}; its scripts may call the
 * service only if {@code firstcome.security.origins} names the origin of the management port.
 *
 * <p>The files are looked up once: a look-up of each requested name would be kept by the class
 * loader.
 */
@Component
@ConditionalOnAvailableEndpoint(endpoint = ApiPageEndpoint.class)
@WebEndpoint(id = "apipage")
class ApiPageEndpoint {

  private static final MimeType HTML = MimeType.valueOf("text/html;charset=utf-8");
  private static final MimeType CSS = MimeType.valueOf("text/css;charset=utf-8");
  private static final MimeType SCRIPT = MimeType.valueOf("text/javascript;charset=utf-8");
  private static final MimeType YAML = MimeType.valueOf("application/yaml");

  private static final String LIBRARY = "classpath:/META-INF/resources/webjars/swagger-ui/*/";
  private static final String DESCRIPTION = "openapi.yaml";

  /** In the description: the service of {@code ./firstcome up}. */
  private static final String USUAL_ADDRESS = "http://127.0.0.1:8080";

  private final Resource index = ofThePage("index.html");
  private final Map<String, WebEndpointResponse<Resource>> files;
  private final String description;
  private final Environment environment;

  ApiPageEndpoint(Environment environment) throws IOException {
    this.environment = environment;
    description = ofThePage(DESCRIPTION).getContentAsString(StandardCharsets.UTF_8);
    files =
        Map.of(
            "page.css",
            new WebEndpointResponse<>(ofThePage("page.css"), CSS),
            "page.js",
            new WebEndpointResponse<>(ofThePage("page.js"), SCRIPT),
            "swagger-ui.css",
            new WebEndpointResponse<>(ofTheLibrary("swagger-ui.css"), CSS),
            "swagger-ui-bundle.js",
            new WebEndpointResponse<>(ofTheLibrary("swagger-ui-bundle.js"), SCRIPT));
  }

  private static Resource ofThePage(String name) {
    return new ClassPathResource("api-page/" + name);
  }

  private static Resource ofTheLibrary(String name) throws IOException {
    return new PathMatchingResourcePatternResolver().getResources(LIBRARY + name)[0];
  }

  @ReadOperation(produces = "text/html")
  WebEndpointResponse<Resource> index() {
    return new WebEndpointResponse<>(index, HTML);
  }

  /** A file of the page; 404 for any other name. */
  @ReadOperation(produces = {"text/css", "text/javascript", "application/yaml"})
  @Nullable WebEndpointResponse<Resource> file(@Selector String name) {
    return name.equals(DESCRIPTION) ? description() : files.get(name);
  }

  /** The description, in which the port of the usual address is that of this service. */
  private WebEndpointResponse<Resource> description() {
    var address = "http://127.0.0.1:" + environment.getProperty("local.server.port", "8080");
    var text = description.replace(USUAL_ADDRESS, address);
    return new WebEndpointResponse<>(
        new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)), YAML);
  }
}
