package io.firstcome.bootstrap.connector;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterProperties;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.MediaType;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.stereotype.Component;
import org.springframework.util.MultiValueMap;

/**
 * Reads the forms of the console, whose fields are needed before the caller is authenticated: the
 * password, and the token against forged requests. Tomcat would read them too, and wait for a slow
 * client for as long as it sends a byte now and then.
 */
@Component
@Order(SecurityFilterProperties.DEFAULT_FILTER_ORDER - 1)
class FormFilter extends RequestFilter {

  private static final String CONSOLE = "/console";
  private static final Set<String> HAVE_NO_FORM = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  private final RequestBodies bodies;
  private final FormHttpMessageConverter converter = new FormHttpMessageConverter();

  FormFilter(RequestBodies bodies) {
    this.bodies = bodies;
  }

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (HAVE_NO_FORM.contains(request.getMethod()) || !isOfConsole(request.getServletPath())) {
      chain.doFilter(request, response);
      return;
    }
    switch (bodies.read(request, response)) {
      case RequestBodies.Reading.Refused() -> {}
      case RequestBodies.Reading.None() ->
          chain.doFilter(new Form(request, new byte[0], Map.of()), response);
      case RequestBodies.Reading.Body(byte[] bytes) -> {
        Form form;
        try {
          form = new Form(request, bytes, fields(bytes));
        } catch (IllegalArgumentException | HttpMessageNotReadableException e) {
          response.sendError(HttpServletResponse.SC_BAD_REQUEST);
          return;
        }
        chain.doFilter(form, response);
      }
    }
  }

  private static boolean isOfConsole(String path) {
    return path.equals(CONSOLE) || path.startsWith(CONSOLE + "/");
  }

  private Map<String, String[]> fields(byte[] bytes) throws IOException {
    MultiValueMap<String, String> read = converter.read(null, new Body(bytes));
    var fields = new LinkedHashMap<String, String[]>();
    read.forEach((name, values) ->
        fields.put(
            name, values.stream().map(value -> value == null ? "" : value).toArray(String[]::new)));
    return fields;
  }

  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Body(byte[] bytes) implements HttpInputMessage {

    @Override
    public InputStream getBody() {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public HttpHeaders getHeaders() {
      var headers = new HttpHeaders();
      headers.setContentType(MediaType.APPLICATION_FORM_URLENCODED);
      return headers;
    }
  }

  /** The request with the fields of its form as parameters, and without those of its query. */
  private static final class Form extends BufferedRequest {

    private final Map<String, String[]> fields;

    Form(HttpServletRequest request, byte[] body, Map<String, String[]> fields) {
      super(request, body);
      this.fields = fields;
    }

    @Override
    public @Nullable String getParameter(String name) {
      var values = fields.get(name);
      return values == null ? null : values[0];
    }

    @Override
    public Map<String, String[]> getParameterMap() {
      return Collections.unmodifiableMap(fields);
    }

    @Override
    public Enumeration<String> getParameterNames() {
      return Collections.enumeration(fields.keySet());
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
      return fields.get(name);
    }
  }
}
