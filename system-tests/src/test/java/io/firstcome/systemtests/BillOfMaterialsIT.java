package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The libraries in the packaged jar, and the bill of materials that names them. */
class BillOfMaterialsIT {

  private static final String LOCATION = "META-INF/sbom/application.cdx.json";
  private static final String LIBRARIES = "BOOT-INF/lib/";

  private static final String OWN_MODULE = "firstcome-";

  /** In the format of {@code sha256sum}. */
  private static final Path EXPECTED_LIBRARIES = Path.of("..", "bootstrap", "libraries.sha256");

  /** Libraries that consist of dependencies only; Spring Boot leaves them out of the jar. */
  private static final String STARTER = "spring-boot-starter-";

  @Test
  void it_lists_each_library_of_the_jar_with_its_hash_and_else_only_starters() throws IOException {
    try (var jar = open()) {
      Map<String, String> listed = new TreeMap<>();
      for (var component : bill(jar).path("components")) {
        var artifact =
            component.path("name").asString() + "-" + component.path("version").asString();
        listed.put(sha256(component), artifact + ".jar");
      }

      var libraries = librariesByHash(jar);
      assertThat(listed).containsAllEntriesOf(libraries);
      listed.keySet().removeAll(libraries.keySet());
      assertThat(listed.values()).allMatch(artifact -> artifact.startsWith(STARTER));
    }
  }

  /**
   * A library that somebody has replaced in the repository of artifacts is not shipped unnoticed.
   */
  @Test
  void each_library_is_the_one_whose_hash_is_in_the_source() throws IOException {
    try (var jar = open()) {
      var libraries =
          librariesByHash(jar).entrySet().stream()
              .filter(library -> !library.getValue().startsWith(OWN_MODULE))
              .map(library -> library.getKey() + "  " + library.getValue());

      assertThat(libraries)
          .as("the lines of %s, see CONTRIBUTING.md", EXPECTED_LIBRARIES.getFileName())
          .containsExactlyInAnyOrderElementsOf(Files.readAllLines(EXPECTED_LIBRARIES));
    }
  }

  @Test
  void it_is_announced_in_the_manifest_and_is_the_same_for_each_build() throws IOException {
    try (var jar = open()) {
      var manifest = jar.getManifest().getMainAttributes();
      var bill = bill(jar);

      assertThat(manifest.getValue("Sbom-Location")).isEqualTo(LOCATION);
      assertThat(manifest.getValue("Sbom-Format")).isEqualTo("CycloneDX");
      assertThat(bill.has("serialNumber")).isFalse();
      assertThat(bill.path("metadata").has("timestamp")).isFalse();
    }
  }

  private static JarFile open() throws IOException {
    return new JarFile(Path.of(System.getProperty("firstcome.jar")).toFile());
  }

  private static JsonNode bill(JarFile jar) throws IOException {
    var entry = jar.getJarEntry(LOCATION);
    assertThat(entry).as("%s, which Maven does not write if it is offline", LOCATION).isNotNull();
    try (var content = jar.getInputStream(entry)) {
      return new JsonMapper().readTree(content);
    }
  }

  private static String sha256(JsonNode component) {
    for (var hash : component.path("hashes")) {
      if (hash.path("alg").asString().equals("SHA-256")) {
        return hash.path("content").asString();
      }
    }
    throw new AssertionError("no SHA-256 of " + component.path("purl"));
  }

  private static Map<String, String> librariesByHash(JarFile jar) throws IOException {
    Map<String, String> libraries = new TreeMap<>();
    for (var entry : jar.stream().filter(BillOfMaterialsIT::isLibrary).toList()) {
      try (var content = jar.getInputStream(entry)) {
        libraries.put(sha256(content), entry.getName().substring(LIBRARIES.length()));
      }
    }
    return libraries;
  }

  private static boolean isLibrary(ZipEntry entry) {
    return entry.getName().startsWith(LIBRARIES) && !entry.isDirectory();
  }

  private static String sha256(InputStream content) throws IOException {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update(content.readAllBytes());
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
