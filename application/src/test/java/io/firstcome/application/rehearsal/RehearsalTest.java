package io.firstcome.application.rehearsal;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.coupon.DefineCoupon;
import io.firstcome.application.readiness.CheckReadiness;
import io.firstcome.application.readiness.DeploymentChecks;
import io.firstcome.application.readiness.Finding;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.port.StockServer;
import io.firstcome.domain.rehearsal.ArrivalCurve;
import io.firstcome.domain.rehearsal.CrowdPhase;
import io.firstcome.domain.rehearsal.CrowdResult;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.Rehearsal.State;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.rehearsal.RehearsalResult;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rehearsals with a crowd that claims without HTTP. */
@Timeout(60)
class RehearsalTest {

  private static final CouponId CLONE = new CouponId("REHEARSAL-1");
  private static final StockServer SERVER =
      () -> new StockServer.Usage(1_000, 1_000_000, Duration.ZERO);

  private final Coupon planned = aCoupon().withTotal(5).build();
  private final InMemoryService service = InMemoryService.with(planned);
  private String obstacle = "";

  /** Accepted claims beyond those that are sent, or fewer of them. */
  private int misreported;

  private boolean stopsInTheMidst;

  private final Crowd crowd =
      new Crowd() {
        @Override
        public String obstacle() {
          return obstacle;
        }

        @Override
        public CrowdResult claim(RehearsalPlan plan, CouponId cloneId, IntPredicate goesOn) {
          var clone = service.database.coupons().find(cloneId).orElseThrow();
          int accepted = Math.min(plan.users(), plan.quantity());
          for (int user = 0; user < accepted; user++) {
            service.claim(clone, "u" + user);
          }
          service.relayAndRecord();
          if (stopsInTheMidst) {
            service
                .readRehearsals
                .latest(1)
                .forEach(one -> service.readRehearsals.stop(one.id(), OPERATOR));
          }
          return goesOn.test(accepted)
              ? result(accepted + misreported, plan.users() - accepted)
              : result(0, 0);
        }
      };

  private static CrowdResult result(int accepted, int soldOut) {
    var time = Duration.ofMillis(1);
    return new CrowdResult(
        accepted,
        soldOut,
        0,
        0,
        time,
        time,
        time,
        time,
        time,
        time,
        1,
        1,
        CrowdPhase.NONE,
        CrowdPhase.NONE);
  }

  private StartRehearsal.Result start(int users, boolean besideOpenCoupons) {
    var plan = new RehearsalPlan(planned.id(), users, 3, ArrivalCurve.atOnce());
    return new StartRehearsal(
            service.database.rehearsals(),
            service.database.coupons(),
            crowd,
            () -> CLONE,
            "one",
            service.clock)
        .start(plan, besideOpenCoupons, OPERATOR);
  }

  private Rehearsal started() {
    return ((StartRehearsal.Result.Started) start(10, true)).rehearsal();
  }

  private Rehearsal run(Rehearsal rehearsal) throws InterruptedException {
    run(service.database.rehearsals(), rehearsal);
    return service.readRehearsals.find(rehearsal.id()).orElseThrow();
  }

  private void run(Rehearsals rehearsals, Rehearsal rehearsal) throws InterruptedException {
    new RunRehearsal(
            rehearsals,
            service.database.coupons(),
            service.rehearsalClones,
            service.database.userCoupons(),
            service.proveExactness,
            crowd,
            SERVER,
            service.clock)
        .run(rehearsal);
  }

  @Test
  void a_crowd_that_was_not_answered_for_seconds_is_an_obstacle_although_few_claims_were_slow() {
    var fast = result(3, 7);
    var stalled =
        new CrowdResult(
            fast.accepted(),
            fast.soldOut(),
            0,
            0,
            fast.median(),
            fast.p95(),
            fast.p99(),
            Duration.ofMillis(9_200),
            fast.soldOutAfter(),
            fast.answeredAfter(),
            1,
            1,
            CrowdPhase.NONE,
            CrowdPhase.NONE);

    assertThat(new RehearsalResult(stalled, Duration.ZERO, List.of(), null).obstacles())
        .containsExactly("A claim took 9.2 s.");
  }

  private static RehearsalResult resultOf(Rehearsal rehearsal) {
    return Objects.requireNonNull(rehearsal.result());
  }

  private void removeAll() {
    for (int i = 0; i < 10; i++) {
      service.removeRehearsal.removeNext();
    }
  }

  private void publishEvents() {
    service.database.events().publishNext(1_000, events -> {});
  }

  @Test
  void an_exact_rehearsal_is_a_go_and_leaves_an_archived_clone_without_user_coupons()
      throws InterruptedException {
    var rehearsal = run(started());

    assertThat(rehearsal.state()).isEqualTo(State.REMOVING);
    assertThat(resultOf(rehearsal).obstacles()).isEmpty();
    assertThat(resultOf(rehearsal).recordedAfter()).isNotNull();
    assertThat(service.database.ports().holders(CLONE)).hasSize(3);
    // Its events are not published yet.
    removeAll();
    assertThat(service.database.ports().holders(CLONE)).hasSize(3);

    publishEvents();
    removeAll();

    assertThat(service.database.ports().holders(CLONE)).isEmpty();
    assertThat(service.stock.marks(InMemoryService.PARTITION, CLONE)).isEmpty();
    var clone = service.database.coupons().find(CLONE).orElseThrow();
    assertThat(clone.status()).isEqualTo(CouponStatus.ARCHIVED);
    assertThat(service.readRehearsals.latest(1).getFirst().state()).isEqualTo(State.REMOVED);
    // The planned coupon was not touched.
    assertThat(service.database.coupons().find(planned.id())).contains(planned);
  }

  @Test
  void users_who_were_promised_a_coupon_and_have_none_are_a_fault() throws InterruptedException {
    misreported = 1;

    var result = resultOf(run(started()));

    assertThat(result.exact()).isFalse();
    assertThat(result.obstacles()).containsExactly("1 users were promised a coupon and have none.");
  }

  @Test
  void slots_that_were_given_to_refused_users_are_a_fault() throws InterruptedException {
    misreported = -1;

    assertThat(resultOf(run(started())).faults())
        .containsExactly("1 slots were given to users who were refused.");
  }

  @Test
  void a_rehearsal_that_an_operator_stops_has_no_result_and_is_removed()
      throws InterruptedException {
    stopsInTheMidst = true;

    var rehearsal = run(started());

    assertThat(rehearsal.endedEarly()).isTrue();
    publishEvents();
    removeAll();
    assertThat(service.database.ports().holders(CLONE)).isEmpty();
  }

  @Test
  void one_that_was_stopped_before_its_clone_was_defined_defines_none()
      throws InterruptedException {
    var rehearsal = started();
    service.readRehearsals.stop(rehearsal.id(), OPERATOR);
    removeAll();
    assertThat(service.readRehearsals.latest(1).getFirst().state()).isEqualTo(State.REMOVING);

    run(rehearsal);

    assertThat(service.database.coupons().find(CLONE)).isEmpty();
    service.timePasses(Duration.ofMinutes(1));
    removeAll();
    assertThat(service.readRehearsals.latest(1).getFirst().state()).isEqualTo(State.REMOVED);
  }

  @Test
  void a_clone_that_is_defined_after_the_end_of_its_rehearsal_is_archived()
      throws InterruptedException {
    run(frozenAfterItsFirstCall(), started());
    removeAll();

    assertThat(service.readRehearsals.latest(1).getFirst().state()).isEqualTo(State.REMOVED);
    var clone = service.database.coupons().find(CLONE).orElseThrow();
    assertThat(clone.status()).isEqualTo(CouponStatus.ARCHIVED);
  }

  /** For an instance that is frozen before it defines the clone, until others have ended it. */
  private Rehearsals frozenAfterItsFirstCall() {
    var rehearsals = service.database.rehearsals();
    var isFirst = new AtomicBoolean(true);
    return (Rehearsals)
        Proxy.newProxyInstance(
            Rehearsals.class.getClassLoader(),
            new Class<?>[] {Rehearsals.class},
            (_, method, arguments) -> {
              var result = method.invoke(rehearsals, arguments);
              if (isFirst.getAndSet(false)) {
                service.timePasses(Duration.ofMinutes(1));
                removeAll();
              }
              return result;
            });
  }

  @Test
  void what_an_instance_that_was_killed_has_issued_is_removed_by_another_one()
      throws InterruptedException {
    var rehearsal = started();
    crowdOfAKilledInstance(rehearsal);
    removeAll();
    assertThat(service.readRehearsals.latest(1).getFirst().state()).isEqualTo(State.RUNNING);

    service.timePasses(Duration.ofMinutes(1));
    publishEvents();
    removeAll();

    assertThat(service.readRehearsals.latest(1).getFirst().state()).isEqualTo(State.REMOVED);
    assertThat(service.database.ports().holders(CLONE)).isEmpty();
  }

  private void crowdOfAKilledInstance(Rehearsal rehearsal) throws InterruptedException {
    var coupon = aCoupon().withId(CLONE.value()).withTotal(3).build();
    service.defineCoupon.defineForRehearsal(coupon.definition(), coupon.stockBackend(), OPERATOR);
    crowd.claim(rehearsal.plan(), CLONE, _ -> true);
  }

  @Test
  void a_claim_message_that_comes_after_the_removal_is_no_dead_letter()
      throws InterruptedException {
    var rehearsal = run(started());
    publishEvents();
    removeAll();

    var owner = new SlotClaim(new UserId("u0"), new Slot(1));
    service.recorder.record(
        List.of(
            new HandoffEntry(
                new EntryReference(
                    InMemoryService.PARTITION, "1-1", service.epochs.of(InMemoryService.PARTITION)),
                CLONE,
                service.clock.instant(),
                List.of(owner))));

    assertThat(service.database.deadLetters().page(null, 10)).isEmpty();
    assertThat(service.database.ports().holders(rehearsal.cloneId())).isEmpty();
  }

  @Test
  void customers_neither_see_the_clone_in_the_list_nor_get_it_suggested()
      throws InterruptedException {
    run(started());

    assertThat(service.listCoupons.listed(null, 100).ids()).containsExactly(planned.id());
  }

  @Test
  void a_coupon_that_opens_within_a_day_is_doubtful_until_its_rehearsal_is_a_go()
      throws InterruptedException {
    var tomorrow = service.clock.instant().plus(Duration.ofHours(20));
    var next =
        aCoupon()
            .withId("NEXT")
            .opening(tomorrow, tomorrow.plus(Duration.ofHours(1)))
            .withValidity(new Validity.Days(1))
            .build();
    service.defineCoupon.define(next.definition(), null, OPERATOR);
    var check =
        new CheckReadiness(
            List.of(
                DeploymentChecks.rehearsals(
                    service.listCoupons, service.readRehearsals, service.clock)),
            service.clock);
    assertThat(check.check().checks().getFirst().finding().text())
        .isEqualTo("NEXT was not rehearsed.");

    misreported = 1;
    rehearse(next.id());
    assertThat(check.check().state()).isEqualTo(Finding.State.DOUBTFUL);
    misreported = 0;
    rehearse(next.id());

    assertThat(check.check().state()).isEqualTo(Finding.State.READY);
  }

  private void rehearse(CouponId couponId) throws InterruptedException {
    var plan = new RehearsalPlan(couponId, 10, 3, ArrivalCurve.atOnce());
    var cloneId = new CouponId("REHEARSAL-OF-" + couponId + misreported);
    run(
        service
            .database
            .rehearsals()
            .start(plan, cloneId, "one", OPERATOR, service.clock.instant())
            .orElseThrow());
    publishEvents();
    removeAll();
  }

  @Test
  void it_is_refused_while_customers_can_claim_unless_that_is_allowed() {
    assertThat(start(10, false)).isEqualTo(new StartRehearsal.Result.OpenCoupon(planned.id()));
    assertThat(service.readRehearsals.latest(10)).isEmpty();

    assertThat(start(10, true)).isInstanceOf(StartRehearsal.Result.Started.class);
    assertThat(start(10, true)).isEqualTo(new StartRehearsal.Result.InProgress());
  }

  @Test
  void it_is_refused_shortly_before_a_coupon_opens() {
    service.changeCoupon.change(planned.id(), Coupon::close, OPERATOR);
    var soon = service.clock.instant().plus(Duration.ofMinutes(2));
    var next =
        aCoupon()
            .withId("NEXT")
            .opening(soon, soon.plus(Duration.ofHours(1)))
            .withValidity(new Validity.Days(1))
            .build();
    service.defineCoupon.define(next.definition(), null, OPERATOR);

    assertThat(start(10, false)).isEqualTo(new StartRehearsal.Result.OpenCoupon(next.id()));
  }

  @Test
  void a_deployment_that_cannot_send_claims_says_why() {
    obstacle = "It has no secret.";

    assertThat(start(10, true))
        .isEqualTo(new StartRehearsal.Result.Impossible("It has no secret."));
  }

  @Test
  void a_clone_is_not_rehearsed_and_no_operator_defines_one() throws InterruptedException {
    run(started());
    var clone = service.database.coupons().find(CLONE).orElseThrow();
    var plan = new RehearsalPlan(CLONE, 10, 3, ArrivalCurve.atOnce());

    assertThat(
            new StartRehearsal(
                    service.database.rehearsals(),
                    service.database.coupons(),
                    crowd,
                    () -> CLONE,
                    "one",
                    service.clock)
                .start(plan, true, OPERATOR))
        .isEqualTo(new StartRehearsal.Result.Unknown());
    assertThat(service.defineCoupon.define(clone.definition(), null, OPERATOR))
        .isEqualTo(new DefineCoupon.Result.Refused(DefineCoupon.Reason.RESERVED_ID));
    assertThat(service.defineCoupon.defineDraft(clone.definition(), null, OPERATOR))
        .isEqualTo(new DefineCoupon.Result.Refused(DefineCoupon.Reason.RESERVED_ID));
  }

  @Test
  void numbers_out_of_range_are_refused() {
    for (int users : List.of(0, -1, RehearsalPlan.MAX_USERS + 1)) {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> new RehearsalPlan(planned.id(), users, 3, ArrivalCurve.atOnce()));
    }
    assertThat(new UserId(CLONE + "-999999").value()).hasSizeLessThan(128);
  }
}
