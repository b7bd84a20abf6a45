package io.firstcome.bootstrap.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** The packages of the service, whose dependencies must have no cycles. */
final class Parts implements SliceAssignment {

  private static final String GENERATED = ".persistence.generated";

  private final String root;

  Parts(String root) {
    this.root = root;
  }

  @Override
  public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
    var packageName = javaClass.getPackageName();
    return packageName.startsWith(root + ".") && !packageName.contains(GENERATED)
        ? SliceIdentifier.of(packageName.substring(root.length() + 1))
        : SliceIdentifier.ignore();
  }

  @Override
  public String getDescription() {
    return "the packages of the service";
  }
}
