package io.firstcome.application;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides from a seed alone what happens next, and remembers what has happened.
 *
 * <p>Each task of a simulated instance has a thread of its own, and never do two run at a time: a
 * task runs until it pauses, waits or ends, then the schedule has its turn again. So tasks are
 * interleaved in any way at their calls, and the same seed gives the same history.
 */
final class Schedule {

  private static final int HISTORY_TOLD = 120;
  private static final double PAUSES_IN_CALM = 0.05;

  private final SplittableRandom random;
  private double pauseChance;
  private final List<Task> tasks = new ArrayList<>();
  private final Semaphore turn = new Semaphore(0);
  private final List<Event> history = new ArrayList<>();
  private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
  private @Nullable Task running;
  private int step;

  Schedule(long seed) {
    random = new SplittableRandom(seed);
    pauseChance = PAUSES_IN_CALM;
  }

  /** From now on tasks pause at some of their calls, or at most. */
  void mixThoroughly() {
    pauseChance = oneOf(List.of(0.1, 0.3, 0.7));
  }

  /** From now on tasks seldom pause. */
  void mixLittle() {
    pauseChance = PAUSES_IN_CALM;
  }

  /** Ends a task because the instance it belongs to has died. */
  static final class Crashed extends Error {
    private static final long serialVersionUID = 1L;

    Crashed() {
      super("the instance has died", null, false, false);
    }
  }

  /** What a task does. */
  interface Work {
    void run() throws InterruptedException;
  }

  /** Something that happened. */
  private record Event(int step, String who, String what, Object detail) {
    @Override
    public String toString() {
      return "%5d %-12s %-28s %s".formatted(step, who, what, detail);
    }
  }

  /** Work under way, whose thread waits for its turn. */
  private static final class Task {
    private final Lifetime lifetime;
    private final Semaphore turnOfTask = new Semaphore(0);
    private BooleanSupplier ready = () -> true;
    private boolean ended;
    private @Nullable Throwable failure;

    Task(Lifetime lifetime) {
      this.lifetime = lifetime;
    }

    boolean isReady() {
      return lifetime.isOver() || (!lifetime.isFrozen() && ready.getAsBoolean());
    }
  }

  /** The life of an instance of the service, which a crash ends and a freeze interrupts. */
  static final class Lifetime {
    private boolean over;
    private boolean frozen;

    boolean isOver() {
      return over;
    }

    boolean isFrozen() {
      return frozen;
    }

    /** None of its tasks goes on, until it {@link #thaw}s. */
    void freeze() {
      frozen = true;
    }

    void thaw() {
      frozen = false;
    }

    void mustGoOn() {
      if (over) {
        throw new Crashed();
      }
    }

    Crashed end() {
      over = true;
      return new Crashed();
    }
  }

  /** Counts the steps of a history. */
  int step() {
    return step;
  }

  void nextStep() {
    step++;
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  RandomGenerator random() {
    return random;
  }

  void note(String who, String what, Object detail) {
    history.add(new Event(step, who, what, detail));
  }

  void struck(Fault fault, Object detail) {
    faults.merge(fault, 1, Integer::sum);
    note("FAULT", fault.name(), detail);
  }

  Map<Fault, Integer> faults() {
    return faults;
  }

  /** Everything that happened, a line each. */
  List<String> history() {
    return history.stream().map(Event::toString).toList();
  }

  /** The last part of what happened. */
  String endOfHistory() {
    int from = Math.max(0, history.size() - HISTORY_TOLD);
    return String.join(
        "\n", history.subList(from, history.size()).stream().map(Event::toString).toList());
  }

  /** Begins work, which has its first turn when the schedule says so. */
  void begin(Lifetime lifetime, Work work) {
    var task = new Task(lifetime);
    tasks.add(task);
    Thread.ofVirtual()
        .start(() -> {
          task.turnOfTask.acquireUninterruptibly();
          try {
            lifetime.mustGoOn();
            work.run();
          } catch (Crashed e) {
            // The end of the instance is the end of its tasks.
          } catch (Throwable e) {
            task.failure = e;
          }
          task.ended = true;
          turn.release();
        });
  }

  /** Whether there is work under way that is not frozen. */
  boolean hasTasks() {
    return tasks.stream().anyMatch(task -> !task.lifetime.isFrozen());
  }

  /** Lets one of the tasks that can go on run to its next pause. */
  void runOne() {
    var ready = tasks.stream().filter(Task::isReady).toList();
    if (!ready.isEmpty()) {
      run(oneOf(ready));
    }
  }

  /** Ends the tasks of instances that have died. */
  void buryTheDead() {
    for (var task : List.copyOf(tasks)) {
      while (task.lifetime.isOver() && !task.ended) {
        run(task);
      }
    }
  }

  private void run(Task task) {
    running = task;
    task.turnOfTask.release();
    turn.acquireUninterruptibly();
    running = null;
    if (task.ended) {
      tasks.remove(task);
      if (task.failure != null) {
        throw new AssertionError("a task failed", task.failure);
      }
    }
  }

  /** Called by a task: others may have their turn now. */
  void mayPause() {
    if (chance(pauseChance)) {
      pause();
    }
  }

  /** Called by a task: others have their turn. */
  void pause() {
    await(() -> true);
  }

  /** Called by a task: it goes on when the condition holds and it is its turn. */
  void await(BooleanSupplier condition) {
    var task = running;
    if (task == null) {
      throw new IllegalStateException("only a task can wait");
    }
    task.ready = condition;
    turn.release();
    task.turnOfTask.acquireUninterruptibly();
    task.lifetime.mustGoOn();
  }
}
