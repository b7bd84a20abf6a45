package io.firstcome.contracts.fuzz;

import com.code_intelligence.jazzer.Jazzer;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Starts Jazzer. It searches all libraries on the class path for hooks, which takes longer than a
 * short search for inputs; so it is told of its own libraries only.
 */
final class FuzzerMain {

  private static final String CLASS_PATH = "java.class.path";

  private FuzzerMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    var libraries = System.getProperty(CLASS_PATH).split(File.pathSeparator, -1);
    System.setProperty(
        CLASS_PATH,
        Arrays.stream(libraries)
            .filter(library -> new File(library).getName().startsWith("jazzer"))
            .collect(Collectors.joining(File.pathSeparator)));
    Jazzer.main(args);
  }
}
