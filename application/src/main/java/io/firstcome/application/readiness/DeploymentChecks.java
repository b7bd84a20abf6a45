package io.firstcome.application.readiness;

import io.firstcome.application.coupon.ListCoupons;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.application.readiness.ReadinessCheck.Subject;
import io.firstcome.application.rehearsal.ReadRehearsals;
import io.firstcome.application.server.CompareClocks;
import io.firstcome.application.server.InspectServers;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponSection;
import io.firstcome.domain.instance.InstanceReport;
import io.firstcome.domain.instance.SeenInstance;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.InstanceReports;
import io.firstcome.domain.rehearsal.Rehearsal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The checks that do not depend on where the stock is. */
public final class DeploymentChecks {

  /** Events are published within a second or two. */
  private static final Duration OLD_EVENT = Duration.ofSeconds(30);

  /** An instance that was silent for longer was stopped on purpose. */
  private static final Duration KNOWN = Duration.ofHours(1);

  private static final int MOST_INSTANCES = 100;
  private static final Duration NEXT = Duration.ofDays(1);

  /** Of a section; of those of SCHEDULED, the results of rehearsals are read one by one. */
  private static final int MOST_COUPONS = 50;

  private DeploymentChecks() {}

  /** No server has a setting that weakens a promise, and all settings could be read. */
  public static ReadinessCheck settings(InspectServers servers) {
    return new ReadinessCheck(
        Subject.SERVER_SETTINGS,
        () -> {
          var doubts = servers.latest().doubts();
          return doubts.isEmpty()
              ? Finding.ready("No server has a setting that weakens a promise.")
              : Finding.doubtful(
                  String.join(" – ", doubts) + ".",
                  "Change the settings as said, or accept what they weaken.");
        });
  }

  /** No clock is far from that of the database. */
  public static ReadinessCheck clocks(CompareClocks clocks) {
    return new ReadinessCheck(
        Subject.CLOCKS,
        () -> {
          if (clocks.latest().isEmpty()) {
            return Finding.notReady(
                "The clocks were not compared yet.", "Look whether the database can be reached.");
          }
          var doubts = clocks.doubts();
          return doubts.isEmpty()
              ? Finding.ready("The clocks of this instance and of the servers agree.")
              : Finding.notReady(
                  String.join(" – ", doubts) + ".",
                  "Set the clock that is named, with NTP. A coupon opens and closes by the clock of its"
                      + " stock: that of Redis, or of PostgreSQL.");
        });
  }

  /** Several instances run, all of one version, accept claims, and none was lost lately. */
  public static ReadinessCheck instances(InstanceReports reports) {
    return new ReadinessCheck(
        Subject.INSTANCES, () -> instances(reports.latest(KNOWN, MOST_INSTANCES)));
  }

  private static Finding instances(List<SeenInstance> seen) {
    var silent = seen.stream().filter(SeenInstance::isSilent).map(SeenInstance::report).toList();
    var running = seen.stream().filter(one -> !one.isSilent()).map(SeenInstance::report).toList();
    var versions = running.stream().map(InstanceReport::version).distinct().sorted().toList();
    if (running.isEmpty()) {
      return Finding.notReady(
          "No instance has reported in the last seconds.",
          "Look whether the instances reach the database.");
    }
    var refusing = running.stream().filter(one -> !one.closedPartitions().isEmpty()).toList();
    if (!refusing.isEmpty()) {
      return Finding.notReady(
          "Claims of some partitions are refused by " + names(refusing) + ".",
          "If a recovery runs, wait for its end. Otherwise see FirstcomePartitionClosed in the runbook.");
    }
    if (versions.size() > 1) {
      return Finding.doubtful(
          "The instances are of versions " + String.join(", ", versions) + ".",
          "Complete the upgrade before the drop.");
    }
    if (!silent.isEmpty()) {
      return Finding.doubtful(
          "In the last hour an instance has stopped reporting: " + names(silent) + ".",
          "If it was not stopped on purpose, look at its log and its machine.");
    }
    var version = versions.getFirst();
    return running.size() == 1
        ? Finding.doubtful(
            "One instance runs, of version " + version + ".",
            "Start a second one: while the only one restarts, no claim is answered.")
        : Finding.ready("%d instances run, of version %s.".formatted(running.size(), version));
  }

  private static String names(List<InstanceReport> instances) {
    return instances.stream().map(InstanceReport::instance).collect(Collectors.joining(", "));
  }

  /**
   * The coupons of a section that open within a day, or have opened.
   *
   * @param areAll whether there are no more
   */
  private record NextCoupons(CouponSection section, List<Coupon> coupons, boolean areAll) {

    static NextCoupons read(ListCoupons coupons, CouponSection section, Instant now) {
      var page = coupons.section(section, "", 0, MOST_COUPONS);
      var next =
          page.items().stream()
              .map(ReadCoupon.View::coupon)
              .filter(coupon -> coupon.definition().window().opensAt().isBefore(now.plus(NEXT)))
              .toList();
      return new NextCoupons(section, next, !page.hasMore() || next.size() < page.items().size());
    }

    /** That coupons were not checked. */
    Optional<String> omission() {
      return areAll
          ? Optional.empty()
          : Optional.of(
              "only the first %2$d coupons of the section %1$s were checked"
                  .formatted(section.name().toLowerCase(Locale.ROOT), coupons.size()));
    }
  }

  /** No coupon that opens within a day is a draft or paused, or has a paused waiting room. */
  public static ReadinessCheck nextCoupons(ListCoupons coupons, InstantSource clock) {
    return new ReadinessCheck(
        Subject.NEXT_COUPONS,
        () -> {
          var wrong = new ArrayList<String>();
          for (var section : List.of(CouponSection.DRAFT, CouponSection.SCHEDULED)) {
            var next = NextCoupons.read(coupons, section, clock.instant());
            next.coupons().stream()
                .filter(coupon -> coupon.definition().window().closesAt().isAfter(clock.instant()))
                .flatMap(coupon -> obstacle(coupon).stream())
                .forEach(wrong::add);
            next.omission().ifPresent(wrong::add);
          }
          return wrong.isEmpty()
              ? Finding.ready("No coupon that opens within a day is a draft or paused.")
              : Finding.doubtful(
                  String.join(", ", wrong) + ".",
                  "Publish or resume what customers should get, and resume its waiting room.");
        });
  }

  private static Optional<String> obstacle(Coupon coupon) {
    var room = coupon.definition().waitingRoom();
    return switch (coupon.status()) {
      case DRAFT -> Optional.of(coupon.id() + " is a draft");
      case PAUSED -> Optional.of(coupon.id() + " is paused");
      case ACTIVE ->
          room != null && room.isPaused()
              ? Optional.of("the waiting room of " + coupon.id() + " is paused")
              : Optional.empty();
      case CLOSED, ARCHIVED -> Optional.empty();
    };
  }

  /** The coupons that open within a day were rehearsed, and the latest result is a go. */
  public static ReadinessCheck rehearsals(
      ListCoupons coupons, ReadRehearsals rehearsals, InstantSource clock) {
    return new ReadinessCheck(
        Subject.REHEARSAL,
        () -> {
          var next = NextCoupons.read(coupons, CouponSection.SCHEDULED, clock.instant());
          var wrong =
              Stream.concat(
                      next.coupons().stream().flatMap(coupon -> doubt(coupon, rehearsals).stream()),
                      next.omission().stream())
                  .toList();
          if (!wrong.isEmpty()) {
            return Finding.doubtful(
                String.join(", ", wrong) + ".",
                "Rehearse it, at a time when no other coupon can be claimed.");
          }
          return Finding.ready(
              next.coupons().isEmpty()
                  ? "No coupon opens within a day."
                  : "All coupons that open within a day were rehearsed.");
        });
  }

  private static Optional<String> doubt(Coupon coupon, ReadRehearsals rehearsals) {
    return rehearsals
        .latestResult(coupon.id())
        .map(Rehearsal::result)
        .map(result ->
            result.obstacles().isEmpty()
                ? Optional.<String>empty()
                : Optional.of("the latest rehearsal of " + coupon.id() + " is no go"))
        .orElseGet(() -> Optional.of(coupon.id() + " was not rehearsed"));
  }

  /** Events do not wait to be published. */
  public static ReadinessCheck events(EventOutbox outbox) {
    return new ReadinessCheck(
        Subject.EVENTS,
        () -> {
          var age = outbox.oldestAge().orElse(Duration.ZERO);
          return age.compareTo(OLD_EVENT) <= 0
              ? Finding.ready("No event waits to be published.")
              : Finding.doubtful(
                  "The oldest event has been waiting for %d s.".formatted(age.toSeconds()),
                  "Look whether the broker accepts messages. Claims do not wait for events.");
        });
  }
}
