package io.firstcome.bootstrap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import io.firstcome.bootstrap.problem.ProblemAdvice;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The table of operations and their scopes, against the controllers. */
class OperationsTest {

  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z]+ /[^`]*)` \\|");

  private static final List<String> NOT_MAPPED_BY_ANNOTATIONS =
      List.of(
          "POST /api/v1/coupons/{couponId}/claims",
          "GET /api/v1/coupons/{couponId}/waiting-room",
          "POST /api/v1/coupons/{couponId}/waiting-room",
          "GET /api/v1/coupons/{couponId}/waiting-room/me");

  @Test
  void the_documented_operations_are_those_of_the_controllers() throws IOException {
    var page = Files.readString(Path.of("../docs/security.md"));

    assertThat(ROW.matcher(page).results().map(row -> row.group(1)))
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(NOT_MAPPED_BY_ANNOTATIONS.stream(), mapped()).toList())
        .hasSizeGreaterThan(30);
  }

  private static Stream<String> mapped() {
    return ProductionClasses.load().stream()
        .filter(type -> type.isAnnotatedWith(RestController.class))
        .filter(type -> !type.getPackageName().equals(ProblemAdvice.class.getPackageName()))
        .map(JavaClass::reflect)
        .flatMap(type ->
            Arrays.stream(type.getDeclaredMethods())
                .flatMap(
                    method -> operations(path(type.getAnnotation(RequestMapping.class)), method)));
  }

  private static Stream<String> operations(String prefix, Method method) {
    var mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
    return mapping == null
        ? Stream.empty()
        : Arrays.stream(mapping.method()).map(verb -> verb + " " + prefix + path(mapping));
  }

  private static String path(RequestMapping mapping) {
    return Optional.ofNullable(mapping)
        .flatMap(
            one -> Stream.concat(Arrays.stream(one.value()), Arrays.stream(one.path())).findFirst())
        .orElse("");
  }
}
