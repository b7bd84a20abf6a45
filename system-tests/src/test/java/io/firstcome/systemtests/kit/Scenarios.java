package io.firstcome.systemtests.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** All scenarios of this module, whether or not they are to run. */
public final class Scenarios {

  private Scenarios() {}

  /** The methods that are annotated with {@link Scenario}. */
  public static List<Method> all() {
    Path classes = classes();
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(file -> classes.relativize(file).toString())
          .filter(name -> name.endsWith("IT.class"))
          .map(name -> load(name.replace(".class", "").replace('/', '.')))
          .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
          .filter(method -> method.isAnnotationPresent(Scenario.class))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path classes() {
    try {
      return Path.of(Scenarios.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, Scenarios.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
