package io.firstcome.application.simulation;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.port.ServerUnavailableException;
import java.util.List;
import java.util.function.Function;

/** The operators of a history, who change coupons and archive them. */
final class SimulatedOperators {

  private final SimulationSetting setting;
  private final Schedule schedule;
  private final SimulatedServers servers;
  private final List<SimulatedInstance> instances;

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
