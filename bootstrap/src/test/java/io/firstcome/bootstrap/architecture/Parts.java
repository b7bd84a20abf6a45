package io.firstcome.bootstrap.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;

/**
 * The parts that may not need each other in a circle: each package of the domain and of bootstrap,
 * and each further module.
 */
final class Parts implements SliceAssignment {

  private static final List<String> MODULES =
      List.of("application", "adapter.redis", "adapter.persistence", "adapter.rabbitmq");

  private final String root;

  Parts(String root) {
    this.root = root;
  }

  @Override
  public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
    var packageName = javaClass.getPackageName();
    if (isIn(packageName, "domain") || isIn(packageName, "bootstrap")) {
      return SliceIdentifier.of(packageName.substring(root.length() + 1));
    }
    return MODULES.stream()
        .filter(module -> isIn(packageName, module))
        .findFirst()
        .map(module -> SliceIdentifier.of(module))
        .orElseGet(SliceIdentifier::ignore);
  }

  @Override
  public String getDescription() {
    return "the packages of the domain and of bootstrap, and the other modules";
  }

  private boolean isIn(String packageName, String part) {
    var whole = root + "." + part;
    return packageName.equals(whole) || packageName.startsWith(whole + ".");
  }
}
