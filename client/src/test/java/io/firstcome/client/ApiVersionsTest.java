package io.firstcome.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The service, both clients and the description of the API have the same version. */
class ApiVersionsTest {

  @Test
  void the_package_and_the_description_have_the_version_of_the_build() throws IOException {
    var build = first("pom.xml", "<version>([0-9.]+)(?:-SNAPSHOT)?</version>");

    assertThat(first("typescript/package.json", "\"version\": \"([^\"]+)\"")).isEqualTo(build);
    assertThat(first("../docs/openapi.yaml", "(?m)^  version: (.+)$")).isEqualTo(build);
  }

  private static String first(String file, String regex) throws IOException {
    var found = Pattern.compile(regex).matcher(Files.readString(Path.of(file)));
    assertThat(found.find()).as("%s in %s", regex, file).isTrue();
    return found.group(1);
  }
}
