package io.firstcome.application.coupon;

import static io.firstcome.contracts.CouponFixtures.OPERATOR;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.application.InMemoryService;
import io.firstcome.application.Interposed;
import io.firstcome.application.claim.ClaimAnswer;
import io.firstcome.application.coupon.EditCoupon.Deletion;
import io.firstcome.application.coupon.EditCoupon.Result;
import io.firstcome.application.recovery.RecoverStock;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange.Refused.Reason;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.CouponStock;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Edits of a coupon before and after its first claim, also when an instance or a server fails. */
@Timeout(60)
class EditCouponTest {

  private final Coupon coupon = aCoupon().withTotal(2).build();
  private final InMemoryService service = InMemoryService.with(coupon);

  private static CouponDefinition lowered(CouponDefinition now) {
    return aCoupon().withId(now.couponId().value()).withTotal(1).build().definition();
  }

  private static CouponDefinition renamed(CouponDefinition now) {
    return aCoupon()
        .withId(now.couponId().value())
        .named("Another name")
        .withTotal(now.totalQuantity())
        .build()
        .definition();
  }

  private Coupon stored() {
    return service.database.coupons().find(coupon.id()).orElseThrow();
  }

  private Result edit(UnaryOperator<CouponDefinition> edit) {
    return service.editCoupon.edit(coupon.id(), stored().revision(), edit, OPERATOR);
  }

  /** Another instance, whose port calls are intercepted. */
  private EditCoupon instance(Interposed ports) {
    return new EditCoupon(
        ports.port(CouponRepository.class, service.database.coupons()),
        ports.port(CouponStock.class, service.stock.stock()),
        service.epochs,
        service.catalog,
        service.stockSync,
        service.clock);
  }

  @Test
  void everything_can_be_edited_before_the_first_claim() {
    assertThat(edit(EditCouponTest::lowered)).isInstanceOf(Result.Done.class);

    assertThat(stored().definition().totalQuantity()).isEqualTo(1);
    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(service.claim(coupon, "bob"))
        .isEqualTo(new ClaimAnswer.Refused(new ClaimOutcome.SoldOut()));
  }

  @Test
  void after_the_first_claim_only_promises_that_are_kept_can_be_edited() {
    service.claim(coupon, "ann");

    assertThat(edit(EditCouponTest::lowered)).isEqualTo(new Result.AlreadyClaimed());
    assertThat(stored()).isEqualTo(coupon);
    assertThat(service.claim(coupon, "bob")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(edit(EditCouponTest::renamed)).isInstanceOf(Result.Done.class);
    assertThat(stored().definition().name()).isEqualTo("Another name");
  }

  /** The claims wait at most for the commit, and never get a slot of the former definition. */
  @Test
  void claims_between_the_check_and_the_commit_are_not_accepted() {
    var editing =
        instance(
            Interposed.before(
                CouponRepository.class,
                "editUnclaimed",
                () ->
                    assertThat(service.claim(coupon, "ann"))
                        .isEqualTo(new ClaimAnswer.Overloaded())));

    assertThat(editing.edit(coupon.id(), 1, EditCouponTest::lowered, OPERATOR))
        .isInstanceOf(Result.Done.class);
    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void an_edit_of_another_revision_is_overtaken() {
    edit(EditCouponTest::renamed);

    assertThat(service.editCoupon.edit(coupon.id(), 1, EditCouponTest::lowered, OPERATOR))
        .isEqualTo(new Result.Overtaken(2));
    assertThat(
            service.editCoupon.edit(new CouponId("NOWHERE"), 1, EditCouponTest::lowered, OPERATOR))
        .isEqualTo(new Result.Unknown());
    service.changeCoupon.change(coupon.id(), Coupon::close, OPERATOR);
    assertThat(edit(EditCouponTest::lowered)).isEqualTo(new Result.Refused(Reason.CLOSED_FOR_GOOD));
  }

  /** Another operator's change is applied to the stock, which ends the freeze. */
  @Test
  void a_change_between_the_check_and_the_commit_wins() {
    var editing =
        instance(
            Interposed.before(
                CouponRepository.class,
                "editUnclaimed",
                () -> service.changeCoupon.change(coupon.id(), c -> c.raiseTo(3), OPERATOR)));

    assertThat(editing.edit(coupon.id(), 1, EditCouponTest::lowered, OPERATOR))
        .isEqualTo(new Result.Overtaken(2));
    assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
  }

  @Test
  void the_freeze_of_an_instance_that_died_ends_and_its_late_commit_has_no_effect() {
    var ended = new boolean[1];
    var editing =
        instance(
            Interposed.before(
                CouponRepository.class,
                "editUnclaimed",
                () -> {
                  service.stockSync.catchUp();
                  assertThat(service.claim(coupon, "ann")).isEqualTo(new ClaimAnswer.Overloaded());
                  service.timePasses(CouponRepository.FREEZE_LIMIT.plusSeconds(1));
                  service.stockSync.catchUp();
                  ended[0] = service.claim(coupon, "ann") instanceof ClaimAnswer.Accepted;
                }));

    assertThat(editing.edit(coupon.id(), 1, EditCouponTest::lowered, OPERATOR))
        .isEqualTo(new Result.Overtaken(2));
    assertThat(ended).containsExactly(true);
    assertThat(stored().definition()).isEqualTo(coupon.definition());
    assertThat(service.database.coupons().unapplied(null, 10)).isEmpty();
  }

  /** The recovery makes the coupon claimable again, so the check says nothing any more. */
  @Test
  void an_edit_does_not_change_a_coupon_that_was_claimed_after_a_recovery_in_between() {
    var editing =
        instance(
            Interposed.before(
                CouponRepository.class,
                "editUnclaimed",
                () -> {
                  recover();
                  assertThat(service.claim(coupon, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
                }));

    assertThat(editing.edit(coupon.id(), 1, EditCouponTest::lowered, OPERATOR))
        .isEqualTo(new Result.AlreadyClaimed());
    assertThat(stored().definition()).isEqualTo(coupon.definition());
  }

  private void recover() {
    try {
      service
          .recoverStock(Interposed.nothing())
          .recoverNow(InMemoryService.PARTITION, RecoverStock.Database.CURRENT);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void an_edit_while_the_stock_is_closed_changes_nothing() {
    service.stock.restart();

    assertThat(edit(EditCouponTest::lowered)).isEqualTo(new Result.StockUnreachable());
    assertThat(stored()).isEqualTo(coupon);
  }

  /** Its discount and validity are those of the edited coupon, whatever an instance has cached. */
  @Test
  void a_user_coupon_has_the_edited_coupon_also_on_an_instance_that_cached_the_former_one() {
    var elsewhere = InMemoryMaps.catalog(service.database.coupons(), service.clock);
    assertThat(elsewhere.find(coupon.id())).contains(coupon);

    edit(EditCouponTest::lowered);
    service.claim(coupon, "ann");
    service.relayAndRecord();

    assertThat(elsewhere.of(service.row(coupon, "ann").orElseThrow())).isEqualTo(stored());
  }

  @Test
  void a_draft_is_unknown_to_customers_until_it_is_published() {
    var draft = aCoupon().withId("DRAFT").withTotal(1).build();
    service.defineCoupon.defineDraft(draft.definition(), null, OPERATOR);

    assertThat(service.claim(draft, "ann")).isEqualTo(new ClaimAnswer.UnknownCoupon());
    assertThat(service.readCoupon.read(draft.id())).isEmpty();
    assertThat(service.readCoupon.readAny(draft.id())).isPresent();
    assertThat(service.proveExactness.prove(draft.id())).isEmpty();

    service.changeCoupon.change(draft.id(), Coupon::publish, OPERATOR);
    service.timePasses(CouponCatalog.ABSENT_FOR);

    assertThat(service.claim(draft, "ann")).isInstanceOf(ClaimAnswer.Accepted.class);
    assertThat(service.readCoupon.read(draft.id())).isPresent();
  }

  @Test
  void a_published_coupon_is_copied_to_a_draft_which_can_be_edited_and_deleted() {
    var copy = new CouponId("COPY");

    assertThat(service.defineCoupon.copy(coupon.id(), copy, OPERATOR))
        .isInstanceOfSatisfying(
            DefineCoupon.Copied.Done.class,
            done -> assertThat(done.of()).isInstanceOf(DefineCoupon.Result.Defined.class));
    assertThat(service.defineCoupon.copy(new CouponId("NOWHERE"), copy, OPERATOR))
        .isEqualTo(new DefineCoupon.Copied.Unknown());

    assertThat(service.editCoupon.edit(copy, 1, EditCouponTest::lowered, OPERATOR))
        .isInstanceOf(Result.Done.class);
    var draft = service.database.coupons().find(copy).orElseThrow();
    assertThat(draft.status()).isEqualTo(CouponStatus.DRAFT);
    assertThat(draft.definition().totalQuantity()).isEqualTo(1);

    assertThat(service.editCoupon.delete(copy, 1, OPERATOR)).isEqualTo(new Deletion.Overtaken(2));
    assertThat(service.editCoupon.delete(coupon.id(), 1, OPERATOR))
        .isEqualTo(new Deletion.NotDraft());
    assertThat(service.editCoupon.delete(copy, 2, OPERATOR)).isEqualTo(new Deletion.Done());
    assertThat(service.editCoupon.delete(copy, 2, OPERATOR)).isEqualTo(new Deletion.Unknown());
  }

  @Test
  void a_draft_is_defined_once_and_a_published_coupon_is_not_made_a_draft() {
    var definition = aCoupon().withId("ONCE").build().definition();
    service.defineCoupon.defineDraft(definition, null, OPERATOR);

    assertThat(service.defineCoupon.defineDraft(definition, null, OPERATOR))
        .isInstanceOf(DefineCoupon.Result.SameAsBefore.class);
    assertThat(service.defineCoupon.define(definition, null, OPERATOR))
        .isInstanceOf(DefineCoupon.Result.AlreadyDefined.class);
    service.changeCoupon.change(definition.couponId(), Coupon::publish, OPERATOR);
    assertThat(service.defineCoupon.defineDraft(definition, null, OPERATOR))
        .isInstanceOfSatisfying(
            DefineCoupon.Result.SameAsBefore.class,
            same -> assertThat(same.coupon().status()).isEqualTo(CouponStatus.ACTIVE));
  }
}
