package io.firstcome.application.rehearsal;

import io.firstcome.domain.rehearsal.Forecast.Deployment;
import io.firstcome.domain.rehearsal.MeasuredCosts;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A drop in steps of ten milliseconds. In each step the claims that have arrived use the time of
 * the processors, and accepted ones also that of the only thread of the stock.
 */
final class SimulatedDrop {

  private static final long STEP = Duration.ofMillis(10).toNanos();
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** A crowd that takes longer is not simulated to its end, so that a forecast costs little. */
  private static final long END = Duration.ofHours(1).toNanos();

  private final RehearsalPlan plan;
  private final Deployment deployment;
  private final double processors;
  private final double acceptedCost;
  private final double soldOutCost;
  private final double stockCost;
  private final double rowsPerStep;

  /** Claims that were answered 503 and will be repeated. */
  private final Deque<Repeat> repeats = new ArrayDeque<>();

  private long now;
  private int arrived;
  private int waiting;
  private int slots;
  private int answered;
  private int answersOfSecond;
  private int mostAnswers;
  private long busyAnswers;
  private double recorded;
  private long lastRecorded;
  private double processorTime;
  private double stockTime;
  private long longestWait;
  private long lastAccepted;
  private long lastAnswer;

  private record Repeat(long due, int claims) {}

  record Expected(
      @Nullable Duration soldOutAfter,
      Duration answeredAfter,
      int mostAnswers,
      long busyAnswers,
      Duration longestWait,
      Duration recordedAfter) {}

  /**
   * @param processors of all instances
   */
  SimulatedDrop(RehearsalPlan plan, MeasuredCosts costs, Deployment deployment, double processors) {
    double sending = deployment.sendsClaims() ? costs.crowd().toNanos() : 0;
    this.plan = plan;
    this.deployment = deployment;
    this.processors = processors;
    this.acceptedCost = Math.max(1, costs.accepted().toNanos() + sending);
    this.soldOutCost = Math.max(1, costs.soldOut().toNanos() + sending);
    this.stockCost = Math.max(1, costs.stock().toNanos());
    this.rowsPerStep = costs.rowsPerSecond() * STEP / SECOND;
    this.slots = plan.quantity();
  }

  Expected run() {
    int wins = Math.min(plan.users(), plan.quantity());
    while ((answered < plan.users() || recorded < wins) && now < END) {
      arrive();
      now += STEP;
      refuseExcess();
      answer();
      record();
    }
    return new Expected(
        slots > 0 ? null : Duration.ofNanos(lastAccepted),
        Duration.ofNanos(answered < plan.users() ? now : lastAnswer),
        Math.max(mostAnswers, answersOfSecond),
        busyAnswers,
        Duration.ofNanos(longestWait),
        Duration.ofNanos(recorded < wins ? now : lastRecorded));
  }

  private void arrive() {
    if (arrived < plan.users()) {
      int until = plan.arrival().arrivedAt(Duration.ofNanos(now), plan.users());
      waiting += until - arrived;
      arrived = until;
    }
    while (!repeats.isEmpty() && repeats.getFirst().due() <= now) {
      waiting += repeats.removeFirst().claims();
    }
    if (now % SECOND == 0) {
      mostAnswers = Math.max(mostAnswers, answersOfSecond);
      answersOfSecond = 0;
    }
    processorTime += processors * STEP;
    stockTime += STEP;
  }

  /**
   * Answers 503 to claims beyond those that are handled at a time, with half of the processors: the
   * handling of claims goes on. A crowd that the instances send themselves waits for connections.
   */
  private void refuseExcess() {
    if (deployment.sendsClaims()) {
      return;
    }
    long excess = waiting - deployment.allClaimsAtATime();
    int refused =
        Math.toIntExact(
            Math.clamp((long) (processorTime / 2 / soldOutCost), 0, Math.max(0, excess)));
    if (refused > 0) {
      waiting -= refused;
      busyAnswers += refused;
      repeats.addLast(new Repeat(now + SECOND, refused));
      processorTime -= refused * soldOutCost;
    }
  }

  private void answer() {
    int accepted = serve(Math.min(waiting, slots), acceptedCost, stockCost);
    if (accepted > 0) {
      slots -= accepted;
      lastAccepted = now;
    }
    int refused = slots == 0 ? serve(waiting, soldOutCost, 0) : 0;
    if (accepted + refused > 0) {
      lastAnswer = now;
      longestWait =
          Math.max(longestWait, now - plan.arrival().dueAt(answered - 1, plan.users()).toNanos());
    }
    // Time that was not needed cannot be used later; what is left of a claim's time can.
    processorTime = Math.min(processorTime, waiting == 0 ? 0 : Math.max(acceptedCost, soldOutCost));
    stockTime = Math.min(stockTime, waiting == 0 ? 0 : stockCost);
  }

  private int serve(int claims, double cost, double costOfStock) {
    double most = Math.min(claims, processorTime / cost);
    if (costOfStock > 0) {
      most = Math.min(most, stockTime / costOfStock);
    }
    int served = Math.max(0, (int) most);
    processorTime -= served * cost;
    stockTime -= served * costOfStock;
    waiting -= served;
    answered += served;
    answersOfSecond += served;
    return served;
  }

  private void record() {
    int issued = plan.quantity() - slots;
    double before = recorded;
    recorded = rowsPerStep > 0 ? Math.min(issued, recorded + rowsPerStep) : issued;
    if (recorded > before) {
      lastRecorded = now;
    }
  }
}
