package io.firstcome.application.simulation;

import io.firstcome.application.simulation.SimulatedNetwork.Server;
import io.firstcome.domain.port.ServerUnavailableException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls that take effect some time after their caller's timeout. */
final class SimulatedLateCalls {

  private final Schedule schedule;
  private final InstantSource time;
  private final List<LateCall> late = new ArrayList<>();
  private final Map<Server, Long> newestDone = new EnumMap<>(Server.class);

  SimulatedLateCalls(Schedule schedule, InstantSource time) {
    this.schedule = schedule;
    this.time = time;
  }

  /**
   * @param deadline of a claim call, or null
   */
  private record LateCall(SimulatedCall call, @Nullable Instant deadline, Effect effect) {}

  /** How a call takes effect. */
  interface Effect {
    void run() throws Throwable;
  }

  void add(SimulatedCall call, @Nullable Instant deadline, Effect effect) {
    late.add(new LateCall(call, deadline, effect));
  }

  /** The call has taken effect in time. */
  void done(SimulatedCall call) {
    newestDone.merge(call.server(), call.number(), Math::max);
  }

  boolean isEmpty() {
    return late.isEmpty();
  }

  /** Makes one of the late calls, which takes effect. */
  void moveOne() {
    if (late.isEmpty()) {
      return;
    }
    var next = late.remove(schedule.below(late.size()));
    var call = next.call();
    boolean past = next.deadline() != null && !time.instant().isBefore(next.deadline());
    schedule.struck(
        past ? SimulatedFault.CALL_PAST_DEADLINE : SimulatedFault.CALL_LATE, call.name());
    if (newestDone.getOrDefault(call.server(), 0L) > call.number()) {
      schedule.struck(SimulatedFault.CALL_OVERTAKEN, call.name());
    }
    try {
      next.effect().run();
    } catch (ServerUnavailableException e) {
      schedule.note("late", call.name(), String.valueOf(e.getMessage()));
    } catch (Throwable e) {
      throw new AssertionError("a late call failed", e);
    }
  }

  /** Drops the late calls to a server whose connections have ended. */
  void forgetThoseOf(Server server) {
    late.removeIf(call -> call.call().server() == server);
  }
}
