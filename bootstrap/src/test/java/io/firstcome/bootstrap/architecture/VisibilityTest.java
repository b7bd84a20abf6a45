package io.firstcome.bootstrap.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static io.firstcome.bootstrap.architecture.ProductionClasses.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a package shows to other packages, and how large it is. */
class VisibilityTest {

  private static final int LARGEST_PACKAGE = 20;
  private static final String REASON = "more than twenty";

  /** Public classes that no other package of the service uses, and who uses them. */
  private static final Map<String, String> USED_FROM_OUTSIDE =
      Map.of(
          "bootstrap.FirstcomeApplication", "the Java launcher",
          "bootstrap.connector.ReapedProtocol", "Tomcat, by its name");

  private static final JavaClasses PRODUCTION = ProductionClasses.load();

  /** The model is public as a whole; generated classes are what the generator makes them. */
  @Test
  void a_class_is_public_only_if_another_package_uses_it() {
    var hidden =
        PRODUCTION.that(
            resideInAnyPackage(ROOT + ".application..", ROOT + ".adapter..", ROOT + ".bootstrap..")
                .and(resideInAPackage(ROOT + ".adapter.persistence.generated..").negate()));

    assertThat(unusedOutside(hidden))
        .containsExactlyInAnyOrderElementsOf(
            USED_FROM_OUTSIDE.keySet().stream().map(name -> ROOT + "." + name).toList());
  }

  @Test
  void a_public_class_that_is_used_only_in_its_package_is_found() {
    var fixture = ROOT + ".bootstrap.architecture.visibility";

    assertThat(unusedOutside(new ClassFileImporter().importPackages(fixture)))
        .containsExactly(fixture + ".application.stock.Helper");
  }

  private static Set<String> unusedOutside(JavaClasses classes) {
    return classes.stream()
        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
        .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
        .filter(type -> !isUsedOutside(type))
        .map(JavaClass::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isUsedOutside(JavaClass type) {
    return type.getDirectDependenciesToSelf().stream()
        .anyMatch(use -> !use.getOriginClass().getPackageName().equals(type.getPackageName()));
  }

  @Test
  void a_package_with_many_classes_documents_the_reason() throws IOException {
    List<Path> unexplained;
    try (var modules = Files.list(Path.of(".."))) {
      unexplained =
          modules
              .map(module -> module.resolve("src/main/java"))
              .filter(Files::isDirectory)
              .flatMap(VisibilityTest::folders)
              .filter(folder -> classesIn(folder) > LARGEST_PACKAGE && !isExplained(folder))
              .toList();
    }

    assertThat(unexplained).isEmpty();
    assertThat(classesIn(Path.of("../domain/src/main/java/io/firstcome/domain/port")))
        .isGreaterThan(LARGEST_PACKAGE);
  }

  private static Stream<Path> folders(Path sources) {
    try (var files = Files.walk(sources)) {
      return files.filter(Files::isDirectory).toList().stream();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + sources, e);
    }
  }

  private static long classesIn(Path folder) {
    try (var files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .count();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + folder, e);
    }
  }

  private static boolean isExplained(Path folder) {
    try {
      var text = Files.readString(folder.resolve("package-info.java"));
      return text.replaceAll("\\s*\\*?\\s+", " ").toLowerCase(Locale.ROOT).contains(REASON);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read the package-info of " + folder, e);
    }
  }
}
