package io.firstcome.bootstrap.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.problem.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** JSON as the service reads and writes it, with the settings in application.yaml. */
public final class ServiceJson {

  private static final JsonMapper MAPPER =
      new SpringApplicationBuilder(WebConfiguration.class, JacksonAutoConfiguration.class)
          .web(WebApplicationType.NONE)
          .logStartupInfo(false)
          .run()
          .getBean(JsonMapper.class);

  private ServiceJson() {}

  /** The body of a request, or null if it is refused. */
  public static <T> @Nullable T read(byte[] body, Class<T> type) {
    try {
      return MAPPER.readValue(body, type);
    } catch (JacksonException e) {
      return null;
    }
  }

  /** Asserts that a request with invalid members is refused, and that the answer can be written. */
  public static void assertInvalidMembers(Problem problem) {
    assertThat(problem.body().getStatus()).isEqualTo(422);
    assertThat(problem.body().getProperties()).containsKey("errors");
    assertThat(MAPPER.writeValueAsBytes(problem.body().getProperties())).isNotEmpty();
  }
}
