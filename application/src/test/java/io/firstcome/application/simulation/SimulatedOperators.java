package io.firstcome.application.simulation;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.erasure.ErasureId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ServerUnavailableException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The operators of a history, who change coupons and archive them. */
final class SimulatedOperators {

  private static final double ERASES = 0.006;

  private final SimulationSetting setting;
  private final Schedule schedule;
  private final SimulatedServers servers;
  private final List<SimulatedInstance> instances;
  private final Map<ErasureId, Request> requested = new HashMap<>();

  /** A stored request to erase a user. */
  private record Request(UserId user, int step) {}

  /**
   * @param instances the running ones
   */
  SimulatedOperators(
      SimulationSetting setting, SimulatedServers servers, List<SimulatedInstance> instances) {
    this.setting = setting;
    this.servers = servers;
    this.instances = instances;
    schedule = setting.schedule();
  }

  /** Acts in a step of the history with faults; the database may lose changes. */
  void act() {
    if (setting.archiving()) {
      closeOrArchive();
    }
    if (setting.erasing() && schedule.chance(ERASES)) {
      erase(schedule.oneOf(setting.users()));
    }
    if (setting.losing()) {
      pauseOrResume();
      servers.keepPast();
      if (schedule.chance(0.01)) {
        servers.loseChanges();
      }
    }
  }

  /** Closes seldom, so that archived coupons have claims, and archives more often. */
  private void closeOrArchive() {
    var coupon = schedule.oneOf(setting.coupons());
    if (schedule.chance(0.004)) {
      close(coupon);
    } else if (schedule.chance(0.06)) {
      archive(coupon);
    }
  }

  private void pauseOrResume() {
    var coupon = schedule.oneOf(setting.coupons());
    if (schedule.chance(0.02)) {
      pause(coupon);
    } else if (schedule.chance(0.04)) {
      operate("resume", requests -> requests.change(coupon.id(), Coupon::resume));
    }
  }

  void pauseAll() {
    setting.coupons().forEach(this::pause);
  }

  void closeAndArchiveAll() {
    for (var coupon : setting.coupons()) {
      close(coupon);
      archive(coupon);
    }
  }

  private void pause(Coupon coupon) {
    operate("pause", requests -> requests.change(coupon.id(), Coupon::pause));
  }

  private void close(Coupon coupon) {
    operate("close", requests -> requests.change(coupon.id(), Coupon::close));
  }

  private void archive(Coupon coupon) {
    operate("archive", requests -> requests.archive(coupon.id()));
  }

  private void erase(UserId user) {
    setting.record().erasureRequested(user);
    operate(
        "erase " + user.value(),
        requests -> {
          var erasure = requests.erase(user);
          requested.putIfAbsent(erasure.id(), new Request(user, schedule.step()));
          return erasure;
        });
  }

  /**
   * Users whose erasure has ended.
   *
   * @return with the step of the request
   */
  Map<UserId, Integer> erased() {
    var erased = new HashMap<UserId, Integer>();
    requested.forEach((id, request) -> {
      if (servers.database.erasures().find(id).filter(Erasure::hasEnded).isPresent()) {
        erased.merge(request.user(), request.step(), Math::max);
      }
    });
    return erased;
  }

  private void operate(String what, Function<SimulatedRequests, Object> operation) {
    var instance = schedule.oneOf(instances);
    schedule.begin(
        instance.lifetime(),
        () -> {
          try {
            schedule.note("operator", what, operation.apply(instance.requests()));
          } catch (ServerUnavailableException e) {
            schedule.note("operator", what, String.valueOf(e.getMessage()));
          }
        });
  }

  int archived() {
    return (int)
        setting.coupons().stream()
            .filter(coupon -> servers.statusOf(coupon) == CouponStatus.ARCHIVED)
            .count();
  }

  boolean haveArchivedAll() {
    return archived() == setting.coupons().size();
  }
}
