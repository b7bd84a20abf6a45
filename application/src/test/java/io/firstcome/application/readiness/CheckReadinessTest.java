package io.firstcome.application.readiness;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.ClocksForTests;
import io.firstcome.application.InMemoryService;
import io.firstcome.application.coupon.ListCoupons;
import io.firstcome.application.readiness.CheckReadiness.Checked;
import io.firstcome.application.readiness.Finding.State;
import io.firstcome.application.readiness.ReadinessCheck.Subject;
import io.firstcome.application.recording.ReadLateClaims;
import io.firstcome.application.rehearsal.ReadRehearsals;
import io.firstcome.application.server.InspectServers;
import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.instance.InstanceReport;
import io.firstcome.domain.latency.LatencyHistogram;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.BrokerCheck;
import io.firstcome.domain.port.BrokerUnavailableException;
import io.firstcome.domain.port.StockServer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckReadinessTest {

  private static final StockServer AMPLE =
      () -> new StockServer.Usage(1_000, 1_000_000_000, Duration.ZERO);
  private static final BrokerCheck WORKS = () -> new BrokerCheck.Queue(0, 4);

  private final Coupon coupon = aCoupon().withTotal(10).build();
  private final InMemoryService service = InMemoryService.with(coupon);

  private static Finding run(ReadinessCheck check) {
    return check.run();
  }

  private void report(String instance, String version, Integer... closed) {
    service
        .database
        .instances()
        .store(
            new InstanceReport(
                instance,
                version,
                Instant.EPOCH,
                List.of(closed),
                List.of(),
                LatencyHistogram.NONE));
  }

  private Finding instances() {
    return run(DeploymentChecks.instances(service.database.instances()));
  }

  private Finding memory(StockServer memory) {
    return run(
        HandoffChecks.memory(
            memory,
            new ListCoupons(service.database.coupons(), service.readCoupon, service.clock),
            service.readOpenCoupons));
  }

  @Test
  void the_worst_finding_counts_and_subjects_are_in_their_order() {
    var checks =
        new CheckReadiness(
            List.of(
                new ReadinessCheck(Subject.MEMORY, () -> Finding.notReady("none", "buy some")),
                new ReadinessCheck(Subject.CLOCKS, () -> Finding.doubtful("odd", "look")),
                new ReadinessCheck(Subject.BROKER, () -> Finding.ready("works"))),
            service.clock);

    var readiness = checks.check();

    assertThat(readiness.state()).isEqualTo(State.NOT_READY);
    assertThat(readiness.checks())
        .extracting(Checked::subject)
        .containsExactly(Subject.CLOCKS, Subject.BROKER, Subject.MEMORY);
  }

  @Test
  void nothing_is_ready_that_could_not_be_checked() {
    BrokerCheck away =
        () -> {
          throw new BrokerUnavailableException("no reply", null);
        };

    var finding = run(HandoffChecks.broker(away));

    assertThat(finding.state()).isEqualTo(State.NOT_READY);
    assertThat(finding.text()).contains("no reply");
    assertThat(finding.toDo()).isNotNull();
  }

  @Test
  void without_recorders_claims_would_have_no_rows() {
    assertThat(run(HandoffChecks.broker(WORKS)).state()).isEqualTo(State.READY);
    assertThat(run(HandoffChecks.broker(() -> new BrokerCheck.Queue(5, 0))).state())
        .isEqualTo(State.NOT_READY);
  }

  @Test
  void several_instances_of_one_version_are_ready() {
    assertThat(instances().state()).isEqualTo(State.NOT_READY);
    report("a", "1.0");
    assertThat(instances().state()).isEqualTo(State.DOUBTFUL);
    report("b", "1.0");
    assertThat(instances()).isEqualTo(Finding.ready("2 instances run, of version 1.0."));
    report("b", "1.1");
    assertThat(instances().text()).contains("1.0, 1.1");
  }

  @Test
  void an_instance_that_was_lost_lately_is_named() {
    report("a", "1.0");
    report("b", "1.0");
    report("c", "1.0");
    service.timePasses(Duration.ofSeconds(10));
    report("a", "1.0");
    report("b", "1.0");

    assertThat(instances().state()).isEqualTo(State.DOUBTFUL);
    assertThat(instances().text()).contains("c.").doesNotContain("a, b");
    service.timePasses(Duration.ofSeconds(10));
    assertThat(instances().state()).isEqualTo(State.NOT_READY);
  }

  @Test
  void an_instance_that_refuses_claims_is_not_ready() {
    report("a", "1.0");
    report("b", "1.0", 0);

    assertThat(instances().state()).isEqualTo(State.NOT_READY);
    assertThat(instances().text()).isEqualTo("Claims of some partitions are refused by b.");
  }

  @Test
  void closed_partitions_are_not_ready() throws InterruptedException {
    service.stock.wipe();
    service.keeper.checkFences();
    assertThat(run(HandoffChecks.partitions(service.keeper)).state()).isEqualTo(State.NOT_READY);

    service.keeper.keep(InMemoryService.PARTITION);
    assertThat(run(HandoffChecks.partitions(service.keeper)).state()).isEqualTo(State.READY);
  }

  @Test
  void claims_that_wait_long_for_their_rows_are_not_ready() throws InterruptedException {
    service.keeper.keep(InMemoryService.PARTITION);
    var log = HandoffChecks.log(service.keeper, service.stock.log());
    assertThat(run(log).text()).contains("empty");

    service.claim(coupon, "ann");
    assertThat(run(log).state()).isEqualTo(State.READY);
    service.timePasses(Duration.ofSeconds(10));
    assertThat(run(log).state()).isEqualTo(State.NOT_READY);

    service.relayAndRecord();
    assertThat(run(log).state()).isEqualTo(State.READY);
  }

  @Test
  void letters_late_claims_and_old_events_are_doubtful() {
    assertThat(run(HandoffChecks.deadLetters(service.database.deadLetters())).state())
        .isEqualTo(State.READY);
    assertThat(
            run(HandoffChecks.lateClaims(new ReadLateClaims(service.database.lateClaims())))
                .state())
        .isEqualTo(State.READY);
    assertThat(run(DeploymentChecks.events(service.database.events())).state())
        .isEqualTo(State.READY);

    service.claim(coupon, "ann");
    service.relayAndRecord();
    service.timePasses(Duration.ofMinutes(1));

    assertThat(run(DeploymentChecks.events(service.database.events())).state())
        .isEqualTo(State.DOUBTFUL);
  }

  @Test
  void memory_must_suffice_for_the_coupons_that_are_open_or_open_next() {
    assertThat(memory(AMPLE).state()).isEqualTo(State.READY);
    assertThat(memory(AMPLE).text()).contains("10 slots");

    var later = Instant.now().truncatedTo(ChronoUnit.MILLIS).plus(Duration.ofHours(1));
    service.defineCoupon.define(
        aCoupon()
            .withId("LARGE")
            .withTotal(10_000_000)
            .opening(later, later.plus(Duration.ofHours(1)))
            .build()
            .definition(),
        null,
        CouponFixtures.OPERATOR);

    assertThat(memory(AMPLE).state()).isEqualTo(State.NOT_READY);
    assertThat(memory(AMPLE).text()).contains("10,000,010 slots");
    assertThat(memory(() -> new StockServer.Usage(0, 10_000_000_000L, Duration.ZERO)).state())
        .isEqualTo(State.READY);
  }

  @Test
  void a_coupon_that_opens_soon_must_not_be_a_draft_or_paused() {
    var coupons = new ListCoupons(service.database.coupons(), service.readCoupon, service.clock);
    var check = DeploymentChecks.nextCoupons(coupons, service.clock);
    define("SOON", Duration.ofHours(1));
    define("LATER", Duration.ofDays(2));
    assertThat(run(check).state()).isEqualTo(State.READY);

    for (var id : List.of("SOON", "LATER")) {
      service.changeCoupon.change(new CouponId(id), Coupon::pause, CouponFixtures.OPERATOR);
    }

    assertThat(run(check).state()).isEqualTo(State.DOUBTFUL);
    assertThat(run(check).text()).isEqualTo("SOON is paused.");
  }

  @Test
  void coupons_that_were_not_checked_are_doubtful() {
    for (int i = 100; i < 151; i++) {
      define("SOON-" + i, Duration.ofHours(1));
    }
    var coupons = new ListCoupons(service.database.coupons(), service.readCoupon, service.clock);

    var next = run(DeploymentChecks.nextCoupons(coupons, service.clock));

    assertThat(next.state()).isEqualTo(State.DOUBTFUL);
    assertThat(next.text())
        .isEqualTo("only the first 50 coupons of the section scheduled were checked.");
    assertThat(rehearsals().text()).contains("SOON-100 was not", "only the first 50");
  }

  private Finding rehearsals() {
    return run(
        DeploymentChecks.rehearsals(
            new ListCoupons(service.database.coupons(), service.readCoupon, service.clock),
            new ReadRehearsals(service.database.rehearsals(), service.clock),
            service.clock));
  }

  private void define(String id, Duration in) {
    var opensAt = Instant.now().truncatedTo(ChronoUnit.MILLIS).plus(in);
    service.defineCoupon.define(
        aCoupon()
            .withId(id)
            .opening(opensAt, opensAt.plus(Duration.ofHours(1)))
            .build()
            .definition(),
        null,
        CouponFixtures.OPERATOR);
  }

  @Test
  void clocks_and_settings_that_were_not_read_yet_are_not_ready() {
    var clocks = ClocksForTests.same(service.clock);
    assertThat(run(DeploymentChecks.clocks(clocks)).state()).isEqualTo(State.NOT_READY);
    clocks.compare();
    assertThat(run(DeploymentChecks.clocks(clocks)).state()).isEqualTo(State.READY);
    var wrong = ClocksForTests.of(service.clock, () -> service.clock.instant().plusSeconds(3_600));
    wrong.compare();
    assertThat(run(DeploymentChecks.clocks(wrong)).state()).isEqualTo(State.NOT_READY);

    var servers = new InspectServers(List.of(), IssuanceObserver.silent());
    assertThat(run(DeploymentChecks.settings(servers)).state()).isEqualTo(State.READY);
  }
}
