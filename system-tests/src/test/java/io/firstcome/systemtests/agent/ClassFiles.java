package io.firstcome.systemtests.agent;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;

/** Reads and writes class files without loading a class. */
final class ClassFiles {

  private ClassFiles() {}

  /**
   * Resolves class hierarchies from the loader's resources, where branches of a method merge types.
   */
  static ClassFile of(ClassLoader loader) {
    return ClassFile.of(
        ClassFile.ClassHierarchyResolverOption.of(
            ClassHierarchyResolver.ofResourceParsing(loader)
                .orElse(ClassHierarchyResolver.defaultResolver())));
  }
}
