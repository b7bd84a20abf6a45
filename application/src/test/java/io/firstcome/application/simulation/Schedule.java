package io.firstcome.application.simulation;

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
 * Decides from a seed what happens next, and keeps the history.
 *
 * <p>Each task of a simulated instance has its own thread, and only one runs at a time: a task runs
 * until it pauses, waits or ends; then the schedule selects the next one. So tasks are interleaved
 * in any way at their calls, and the same seed gives the same history.
 */
final class Schedule {

  private static final int HISTORY_SHOWN = 120;
  private static final double LOW_PAUSE_CHANCE = 0.05;

  private final SplittableRandom random;
  private double pauseChance;
  private final List<Task> tasks = new ArrayList<>();
  private final Semaphore turn = new Semaphore(0);
  private final List<Event> history = new ArrayList<>();
  private final Map<SimulatedFault, Integer> faults = new EnumMap<>(SimulatedFault.class);
  private @Nullable Task running;
  private int step;

  Schedule(long seed) {
    random = new SplittableRandom(seed);
    pauseChance = LOW_PAUSE_CHANCE;
  }

  /** From now on tasks pause at some or most of their calls. */
  void mixThoroughly() {
    pauseChance = oneOf(List.of(0.1, 0.3, 0.7));
  }

  /** From now on tasks seldom pause. */
  void mixLittle() {
    pauseChance = LOW_PAUSE_CHANCE;
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

  /** An entry of the history. */
  private record Event(int step, String who, String what, Object detail) {
    @Override
    public String toString() {
      return "%5d %-12s %-28s %s".formatted(step, who, what, detail);
    }
  }

  /** Work that has begun, with a thread that runs when the schedule selects it. */
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

  /** The lifetime of an instance of the service: a crash ends it, a freeze suspends it. */
  static final class Lifetime {
    private boolean over;
    private boolean frozen;

    boolean isOver() {
      return over;
    }

    boolean isFrozen() {
      return frozen;
    }

    /** Suspends all tasks of the instance until {@link #thaw}. */
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

  void struck(SimulatedFault fault, Object detail) {
    faults.merge(fault, 1, Integer::sum);
    note("FAULT", fault.name(), detail);
  }

  Map<SimulatedFault, Integer> faults() {
    return faults;
  }

  /** The whole history, one line for each entry. */
  List<String> history() {
    return history.stream().map(Event::toString).toList();
  }

  /** The last part of the history. */
  String endOfHistory() {
    int from = Math.max(0, history.size() - HISTORY_SHOWN);
    return String.join(
        "\n", history.subList(from, history.size()).stream().map(Event::toString).toList());
  }

  /** Begins work, which first runs when the schedule selects it. */
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
            // The tasks of an instance end with it.
          } catch (Throwable e) {
            task.failure = e;
          }
          task.ended = true;
          turn.release();
        });
  }

  /** Whether there is a task that is not frozen. */
  boolean hasTasks() {
    return tasks.stream().anyMatch(task -> !task.lifetime.isFrozen());
  }

  /** Runs one of the ready tasks to its next pause. */
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

  /** Called by a task: may let the schedule select the next task. */
  void mayPause() {
    if (chance(pauseChance)) {
      pause();
    }
  }

  /** Called by a task: lets the schedule select the next task. */
  void pause() {
    await(() -> true);
  }

  /** Called by a task: returns when the condition holds and the schedule selects the task. */
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
