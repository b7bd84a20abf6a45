package io.firstcome.bootstrap.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.Predefined;
import java.util.List;

/**
 * The production classes of the six modules of the service.
 *
 * <p>Jars are read too: if the whole project is packaged, the other modules are jars, and rules
 * without jars would pass without any class of them.
 */
final class ProductionClasses {

  static final String ROOT = "io.firstcome";

  static final List<String> MODULES =
      List.of(
          ROOT + ".domain",
          ROOT + ".application",
          ROOT + ".adapter.redis",
          ROOT + ".adapter.persistence",
          ROOT + ".adapter.rabbitmq",
          ROOT + ".bootstrap");

  private ProductionClasses() {}

  static JavaClasses load() {
    return new ClassFileImporter()
        .withImportOption(Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages(MODULES);
  }
}
