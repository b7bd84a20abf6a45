package io.firstcome.systemtests.guards;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.firstcome.devservices.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Removes one guard at a time and runs its tests: each must fail with the words in the guard's
 * file. With all guards in place they must pass: the run of some guards tries that first; before a
 * run of all guards, {@code mvn verify} and {@code mvn verify -Pfaults} have run the same tests.
 *
 * <p>Not part of a default build, as it takes long: {@code mvn verify -Pguards} builds everything
 * and runs this and no other test.
 *
 * @see GuardChoice#of what {@code -Dguards} and {@code -Dguards.base} mean
 * @see GuardChoice#shard what {@code -Dguards.shard} means
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RemovedGuards {

  /** Longer than any scenario takes without its guard. */
  private static final Duration LIMIT = Duration.ofMinutes(8);

  /** Longer than half of all scenarios take together. */
  private static final Duration CONTROL_LIMIT = Duration.ofMinutes(40);

  /**
   * The longest time that a scenario waits for a condition. Most scenarios without their guard wait
   * for one that never holds.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  /** With all guards in place each condition holds sooner, but two lanes share the processors. */
  private static final Duration PATIENCE_IN_PLACE = Duration.ofSeconds(40);

  /** For a machine on which an earlier step of a scenario takes longer than {@link #PATIENCE}. */
  private static final Duration PATIENCE_AGAIN = Duration.ofSeconds(90);

  private final Path work = Path.of("target", "guards").toAbsolutePath();
  private final Sources sources = new Sources();
  private final List<Guard> all = Guard.all();
  private final Set<String> confirmed = new ConcurrentSkipListSet<>();
  private final Map<MeantTest, Outcome> inPlace = new HashMap<>();
  private final String words = System.getProperty("firstcome.guards", "");
  private final List<Guard> chosen;
  private final Lanes lanes;

  RemovedGuards() throws InterruptedException {
    var named =
        GuardChoice.of(all, sources, words, System.getProperty("firstcome.guards.base", ""));
    chosen = GuardChoice.shard(named, System.getProperty("firstcome.guards.shard", ""));
    Folders.delete(overlays());
    var packed = Path.of(System.getProperty("firstcome.jar")).normalize();
    var service = ServiceJar.unpacked(packed, work.resolve("service"));
    lanes = new Lanes(work, folder -> new Lane(folder, service, sources));
  }

  private Path overlays() {
    return work.resolve("overlays");
  }

  private Path log(String name) {
    return work.resolve("logs").resolve(name + ".log");
  }

  @BeforeAll
  void run_the_tests_of_some_guards_with_all_guards_in_place() throws InterruptedException {
    if (isWholeRun()) {
      return;
    }
    long start = System.nanoTime();
    var runs = new ArrayList<Future<Map<MeantTest, Outcome>>>();
    for (var together : together(chosen.stream().flatMap(Guard::tests).distinct().toList())) {
      var log = log("in-place-" + (runs.size() + 1));
      runs.add(
          lanes.submit(lane -> lane.run(together, null, PATIENCE_IN_PLACE, log, CONTROL_LIMIT)));
    }
    for (var run : runs) {
      inPlace.putAll(resultOf(run));
    }
    var green = inPlace.values().stream().filter(Outcome.Green.class::isInstance).count();
    say("%d of %d".formatted(green, inPlace.size()), "with all guards in place", start);
  }

  /** Whether the run, or the run that this is a part of, tries all guards. */
  private boolean isWholeRun() {
    return words.isEmpty();
  }

  /** Groups the tests by module, and scenarios into one group per lane. */
  private static Collection<List<MeantTest>> together(List<MeantTest> tests) {
    var scenarioClasses =
        tests.stream().filter(MeantTest::isScenario).map(MeantTest::testClass).distinct().toList();
    return tests.stream()
        .collect(
            groupingBy(
                test ->
                    test.isScenario()
                        ? " %d".formatted(scenarioClasses.indexOf(test.testClass()) % Lanes.COUNT)
                        : test.module(),
                TreeMap::new,
                toList()))
        .values();
  }

  @TestFactory
  Stream<DynamicTest> each_test_fails_without_its_guard() {
    // The longest first, so that no lane starts a long one at the end.
    return chosen.stream()
        .sorted(Comparator.comparingLong(Guard::scenarios).reversed())
        .map(guard -> {
          var run = lanes.submit(lane -> removed(guard, lane));
          return DynamicTest.dynamicTest(guard.name(), () -> resultOf(run));
        })
        .toList()
        .stream();
  }

  /** Fails unless every test of the guard fails without it. */
  private boolean removed(Guard guard, Lane lane) throws InterruptedException {
    long start = System.nanoTime();
    try {
      if (!isWholeRun()) {
        guard.tests().forEach(this::requireGreenInPlace);
      }
      var overlay = Overlay.without(guard, sources, overlays().resolve(guard.name()));
      for (var tests : alone(guard)) {
        requireRed(tests, guard, overlay, lane);
      }
      confirmed.add(guard.name());
      return true;
    } finally {
      say(confirmed.contains(guard.name()) ? "red" : "NOT", guard.name(), start);
    }
  }

  /**
   * Fails unless all these tests of the guard fail with its words. If all failed, but one of them
   * with other words, they are run once more with longer timeouts.
   */
  private void requireRed(List<MeantTest> tests, Guard guard, Overlay overlay, Lane lane)
      throws InterruptedException {
    var name = guard.name() + "-" + tests.getFirst().method();
    var outcomes = lane.run(tests, overlay, PATIENCE, log(name), LIMIT);
    if (!outcomes.containsValue(new Outcome.Green()) && !guard.isShownBy(outcomes)) {
      outcomes = lane.run(tests, overlay, PATIENCE_AGAIN, log(name + "-again"), LIMIT);
    }
    guard.requireShownBy(outcomes);
  }

  /**
   * Each scenario is run on its own servers: a failed one leaves a state that would make the next
   * one fail too.
   */
  private static Collection<List<MeantTest>> alone(Guard guard) {
    return guard
        .tests()
        .collect(
            groupingBy(
                test -> test.isScenario() ? test.toString() : test.module(),
                TreeMap::new,
                toList()))
        .values();
  }

  private void requireGreenInPlace(MeantTest test) {
    var outcome = outcome(test, inPlace);
    if (!outcome.equals(new Outcome.Green())) {
      throw new AssertionError(
          "%s is not green with all guards in place:%n%s".formatted(test, outcome));
    }
  }

  private static Outcome outcome(MeantTest test, Map<MeantTest, Outcome> outcomes) {
    return Objects.requireNonNullElseGet(outcomes.get(test), Outcome.NotRun::new);
  }

  private static <T> T resultOf(Future<T> run) throws InterruptedException {
    try {
      return run.get();
    } catch (ExecutionException e) {
      var cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new AssertionError(cause.getMessage(), cause);
    }
  }

  private static void say(String what, String name, long startNanos) {
    System.out.printf(
        "%-8s %-40s %3d s%n", what, name, (System.nanoTime() - startNanos) / 1_000_000_000);
  }

  /** A guard gets its row on the page if all its tests failed. */
  @AfterAll
  void update_the_page() throws IOException {
    lanes.close();
    var shown = chosen.stream().filter(guard -> confirmed.contains(guard.name())).toList();
    Files.writeString(
        GuardsPage.PAGE, GuardsPage.after(Files.readString(GuardsPage.PAGE), all, shown));
  }
}
