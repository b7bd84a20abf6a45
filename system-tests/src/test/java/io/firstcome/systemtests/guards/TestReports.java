package io.firstcome.systemtests.guards;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** What became of the tests of one build, as Surefire and Failsafe wrote it down. */
final class TestReports {

  private static final List<String> FOLDERS = List.of("surefire-reports", "failsafe-reports");

  /** What the provider appends to the name of a method that runs several times. */
  private static final Pattern REPETITION = Pattern.compile("[(\\[{ ].*", Pattern.DOTALL);

  private final List<Run> runs;

  private TestReports(List<Run> runs) {
    this.runs = runs;
  }

  /** What became of a test. */
  sealed interface Outcome {

    /** It ran, and nothing was wrong. */
    record Green() implements Outcome {}

    /** It ran and failed, with this message and stack trace. */
    record Red(String failure) implements Outcome {}

    /** It did not run, or not to its end. */
    record NotRun() implements Outcome {}
  }

  private record Run(String testClass, String method, Outcome outcome) {}

  static void delete(Path sources, List<String> modules) {
    try {
      for (var file : files(sources, modules)) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static TestReports read(Path sources, List<String> modules) {
    var runs = new ArrayList<Run>();
    try {
      var parsers = DocumentBuilderFactory.newDefaultInstance();
      parsers.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      // Failures can be long, as when each of thousands of rows is wrong.
      parsers.setAttribute("jdk.xml.maxGeneralEntitySizeLimit", "0");
      parsers.setAttribute("jdk.xml.totalEntitySizeLimit", "0");
      for (var file : files(sources, modules)) {
        var cases =
            parsers.newDocumentBuilder().parse(file.toFile()).getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
          runs.add(run((Element) cases.item(i)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException("a report cannot be read", e);
    }
    return new TestReports(runs);
  }

  /** Red if it was so once, in case it ran several times. */
  Outcome of(MeantTest test) {
    return runs.stream()
        .filter(run ->
            run.method().equals(test.method()) && run.testClass().endsWith("." + test.testClass()))
        .map(Run::outcome)
        .reduce((one, other) -> one instanceof Outcome.Green ? other : one)
        .orElse(new Outcome.NotRun());
  }

  private static Run run(Element testCase) {
    return new Run(
        testCase.getAttribute("classname"),
        REPETITION.matcher(testCase.getAttribute("name")).replaceFirst(""),
        outcome(testCase));
  }

  private static Outcome outcome(Element testCase) {
    for (var kind : List.of("failure", "error")) {
      if (testCase.getElementsByTagName(kind).item(0) instanceof Element failure) {
        return new Outcome.Red(failure.getAttribute("message") + "\n" + failure.getTextContent());
      }
    }
    return testCase.getElementsByTagName("skipped").getLength() > 0
        ? new Outcome.NotRun()
        : new Outcome.Green();
  }

  private static List<Path> files(Path sources, List<String> modules) throws IOException {
    var files = new ArrayList<Path>();
    for (var module : modules) {
      for (var folder : FOLDERS) {
        var reports = sources.resolve(module).resolve("target").resolve(folder);
        if (Files.isDirectory(reports)) {
          try (Stream<Path> found = Files.list(reports)) {
            found.filter(file -> file.toString().endsWith(".xml")).forEach(files::add);
          }
        }
      }
    }
    return files;
  }
}
