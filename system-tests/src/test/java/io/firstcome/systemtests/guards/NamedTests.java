package io.firstcome.systemtests.guards;

import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;
import java.util.Set;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The program of a {@link TestRun}: runs the tests that its arguments name, as {@code
 * package.TestClass#method}, and writes their outcomes into the file named by the first argument.
 * It exits when its standard input ends, so that it ends with the JVM that started it.
 */
final class NamedTests implements TestExecutionListener {

  static final String GREEN = "green";

  private final Set<String> names;
  private final Path file;
  private final Properties outcomes = new Properties();

  private NamedTests(Set<String> names, Path file) {
    this.names = names;
    this.file = file;
  }

  public static void main(String[] arguments) {
    Thread.ofPlatform().daemon().start(NamedTests::endWithStandardInput);
    var names = Arrays.stream(arguments).skip(1).collect(toSet());
    new NamedTests(names, Path.of(arguments[0])).run();
    // Threads that a test has left running must not delay the exit.
    System.exit(0);
  }

  private static void endWithStandardInput() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // A broken standard input has ended too.
    }
    System.exit(1);
  }

  private void run() {
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(
                names.stream()
                    .map(name -> name.substring(0, name.indexOf('#')))
                    .distinct()
                    .sorted()
                    .map(DiscoverySelectors::selectClass)
                    .toList())
            .filters((PostDiscoveryFilter) this::isNamed)
            .build();
    LauncherFactory.create().execute(request, this);
  }

  private FilterResult isNamed(TestDescriptor test) {
    return FilterResult.includedIf(test.getSource().map(this::isNamed).orElse(true));
  }

  private boolean isNamed(TestSource source) {
    return !(source instanceof MethodSource method) || names.contains(name(method));
  }

  private static String name(MethodSource method) {
    return method.getClassName() + "#" + method.getMethodName();
  }

  /** A test that runs several times is green if every run is. */
  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    result.getThrowable().ifPresent(Throwable::printStackTrace);
    if (test.getSource().orElse(null) instanceof MethodSource method) {
      outcomes.merge(
          name(method),
          result.getStatus() == Status.SUCCESSFUL ? GREEN : failure(result),
          (one, other) -> one.equals(GREEN) ? other : one);
      write();
    }
  }

  /** Called after each test, so that earlier outcomes are kept if this JVM is killed. */
  private void write() {
    try (var writer = Files.newBufferedWriter(file)) {
      outcomes.store(writer, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String failure(TestExecutionResult result) {
    var text = new StringWriter();
    result.getThrowable().ifPresent(thrown -> thrown.printStackTrace(new PrintWriter(text, true)));
    return text.toString();
  }
}
