package io.firstcome.domain.coupon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.firstcome.domain.coupon.CouponChange.Action;
import io.firstcome.domain.coupon.CouponChange.AlreadySo;
import io.firstcome.domain.coupon.CouponChange.Changed;
import io.firstcome.domain.coupon.CouponChange.Refused;
import io.firstcome.domain.coupon.CouponChange.Refused.Reason;
import io.firstcome.domain.issuance.StockTerms;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CouponChangeTest {

  private static final StockBackend POSTGRES = StockBackend.POSTGRES;
  private static final Partition PARTITION = new Partition(3);
  private static final Refused CLOSED_FOR_GOOD = new Refused(Reason.CLOSED_FOR_GOOD);
  private static final Refused ARCHIVED_FOR_GOOD = new Refused(Reason.ARCHIVED_FOR_GOOD);

  @Test
  void an_active_coupon_is_paused_resumed_and_closed_each_time_with_the_next_revision() {
    var active = coupon(CouponStatus.ACTIVE);

    var paused = changed(active.pause());
    assertThat(paused.status()).isEqualTo(CouponStatus.PAUSED);
    assertThat(paused.revision()).isEqualTo(8);
    var resumed = changed(paused.resume());
    assertThat(resumed.status()).isEqualTo(CouponStatus.ACTIVE);
    assertThat(resumed.revision()).isEqualTo(9);
    var closed = changed(resumed.close());
    assertThat(closed.status()).isEqualTo(CouponStatus.CLOSED);
    assertThat(closed.revision()).isEqualTo(10);
    assertThat(closed.definition()).isEqualTo(active.definition());
    assertThat(closed.partition()).isEqualTo(active.partition());
    assertThat(closed.codeKeyVersion()).isEqualTo(active.codeKeyVersion());
  }

  @Test
  void a_paused_coupon_can_be_closed() {
    assertThat(changed(coupon(CouponStatus.PAUSED).close()).status())
        .isEqualTo(CouponStatus.CLOSED);
  }

  @Test
  void a_closed_coupon_keeps_its_status_and_quantity() {
    var closed = coupon(CouponStatus.CLOSED);

    assertThat(closed.pause()).isEqualTo(CLOSED_FOR_GOOD);
    assertThat(closed.resume()).isEqualTo(CLOSED_FOR_GOOD);
    assertThat(closed.raiseTo(101)).isEqualTo(CLOSED_FOR_GOOD);
    assertThat(closed.raiseTo(99)).isEqualTo(CLOSED_FOR_GOOD);
  }

  @Test
  void a_closed_coupon_is_archived_with_the_next_revision_and_nothing_else_changes() {
    var closed = coupon(CouponStatus.CLOSED);

    var archived = changed(closed.archive());

    assertThat(archived.status()).isEqualTo(CouponStatus.ARCHIVED);
    assertThat(archived.revision()).isEqualTo(8);
    assertThat(archived)
        .usingRecursiveComparison()
        .ignoringFields("revision", "status")
        .isEqualTo(closed);
  }

  @ParameterizedTest
  @EnumSource(names = {"ACTIVE", "PAUSED"})
  void only_a_closed_coupon_is_archived(CouponStatus status) {
    assertThat(coupon(status).archive()).isEqualTo(new Refused(Reason.NOT_CLOSED));
  }

  @Test
  void an_archived_coupon_keeps_its_status_and_quantity() {
    var archived = coupon(CouponStatus.ARCHIVED);

    assertThat(archived.pause()).isEqualTo(ARCHIVED_FOR_GOOD);
    assertThat(archived.resume()).isEqualTo(ARCHIVED_FOR_GOOD);
    assertThat(archived.close()).isEqualTo(ARCHIVED_FOR_GOOD);
    assertThat(archived.raiseTo(101)).isEqualTo(ARCHIVED_FOR_GOOD);
    assertThat(archived.raiseTo(99)).isEqualTo(ARCHIVED_FOR_GOOD);
  }

  /** Each status leads to another one by exactly one action, or not at all. */
  @ParameterizedTest
  @CsvSource({
    "DRAFT, ACTIVE",
    "ACTIVE, CLOSED PAUSED",
    "PAUSED, ACTIVE CLOSED",
    "CLOSED, ARCHIVED",
    "ARCHIVED, ''",
  })
  void each_status_can_change_to_these_statuses_only(CouponStatus status, String reachable) {
    var coupon = coupon(status);
    var changes =
        List.of(
            coupon.publish(), coupon.pause(), coupon.resume(), coupon.close(), coupon.archive());
    var reached =
        changes.stream()
            .filter(Changed.class::isInstance)
            .map(change -> changed(change).status().name())
            .sorted()
            .collect(Collectors.joining(" "));

    assertThat(reached).isEqualTo(reachable);
    var already = changes.stream().filter(AlreadySo.class::isInstance).count();
    assertThat(already).isEqualTo(status == CouponStatus.DRAFT ? 0 : 2);
  }

  @ParameterizedTest
  @EnumSource(names = {"DRAFT", "ARCHIVED"})
  void a_coupon_without_stock_has_no_stock_terms(CouponStatus status) {
    assertThat(coupon(status).hasStock()).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StockTerms.of(coupon(status)))
        .withMessageContaining(status.name());
  }

  @Test
  void a_draft_can_only_be_published() {
    var draft = coupon(CouponStatus.DRAFT);
    var refused = new Refused(Reason.NOT_PUBLISHED);

    assertThat(draft.pause()).isEqualTo(refused);
    assertThat(draft.resume()).isEqualTo(refused);
    assertThat(draft.close()).isEqualTo(refused);
    assertThat(draft.archive()).isEqualTo(refused);
    assertThat(draft.raiseTo(101)).isEqualTo(refused);
    assertThat(draft.raiseTo(100)).isEqualTo(refused);
    assertThat(((Changed) draft.publish()).action()).isEqualTo(Action.PUBLISH);
  }

  @Test
  void a_change_to_the_current_status_is_no_change() {
    assertThat(coupon(CouponStatus.PAUSED).pause()).isEqualTo(new AlreadySo());
    assertThat(coupon(CouponStatus.ACTIVE).resume()).isEqualTo(new AlreadySo());
    assertThat(coupon(CouponStatus.CLOSED).close()).isEqualTo(new AlreadySo());
    assertThat(coupon(CouponStatus.ARCHIVED).archive()).isEqualTo(new AlreadySo());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DRAFT")
  void a_raise_to_the_current_quantity_is_no_change_in_any_status(CouponStatus status) {
    assertThat(coupon(status).raiseTo(100)).isEqualTo(new AlreadySo());
  }

  @ParameterizedTest
  @EnumSource(names = {"ACTIVE", "PAUSED"})
  void a_raise_changes_only_the_quantity_and_the_revision(CouponStatus status) {
    var coupon = coupon(status);

    var raised = changed(coupon.raiseTo(100_000_000));

    assertThat(raised.definition().totalQuantity()).isEqualTo(100_000_000);
    assertThat(raised)
        .usingRecursiveComparison()
        .ignoringFields("revision", "definition.totalQuantity")
        .isEqualTo(coupon);
    assertThat(raised.revision()).isEqualTo(8);
  }

  @Test
  void the_quantity_cannot_be_lowered() {
    assertThat(coupon(CouponStatus.ACTIVE).raiseTo(99))
        .isEqualTo(new Refused(Reason.LOWER_QUANTITY));
  }

  @Test
  void a_change_has_its_action_and_the_coupon_before_it() {
    var active = coupon(CouponStatus.ACTIVE);
    var paused = coupon(CouponStatus.PAUSED);

    assertThat(((Changed) active.pause()).action()).isEqualTo(Action.PAUSE);
    assertThat(((Changed) paused.resume()).action()).isEqualTo(Action.RESUME);
    assertThat(((Changed) paused.close()).action()).isEqualTo(Action.CLOSE);
    assertThat(((Changed) coupon(CouponStatus.CLOSED).archive()).action())
        .isEqualTo(Action.ARCHIVE);
    assertThat(((Changed) paused.raiseTo(101)).action()).isEqualTo(Action.RAISE);
    assertThat(((Changed) active.raiseTo(101)).before()).isEqualTo(active);
  }

  @Test
  void a_change_must_have_the_next_revision() {
    var active = coupon(CouponStatus.ACTIVE);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Changed(active, coupon(CouponStatus.PAUSED), Action.PAUSE))
        .withMessageContaining("revision 7");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 100_000_001})
  void a_quantity_out_of_range_is_an_illegal_argument(int wrong) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> coupon(CouponStatus.ACTIVE).raiseTo(wrong))
        .withMessageContaining("totalQuantity")
        .withMessageContaining(String.valueOf(wrong));
  }

  private static Coupon changed(CouponChange change) {
    assertThat(change).isInstanceOf(Changed.class);
    return ((Changed) change).coupon();
  }

  @Test
  void a_change_keeps_the_stock_backend() {
    var coupon = new Coupon(definition(null), CouponStatus.ACTIVE, 7, PARTITION, 2, POSTGRES);

    assertThat(changed(coupon.pause()).stockBackend()).isEqualTo(POSTGRES);
    assertThat(changed(coupon.raiseTo(101)).stockBackend()).isEqualTo(POSTGRES);
  }

  @Test
  void a_coupon_in_postgres_cannot_have_a_waiting_room() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Coupon.define(definition(room(5)), PARTITION, 2, POSTGRES))
        .withMessageContaining("waitingRoom");
  }

  private static Coupon coupon(CouponStatus status) {
    return new Coupon(definition(room(5)), status, 7, PARTITION, 2, StockBackend.REDIS);
  }

  @Test
  void what_can_change_in_a_room_at_any_time_is_named_with_its_value() {
    var before = definition(room(10));
    var after = definition(room(10).withPace(20, true).withChallenge(true));

    assertThat(after.differencesFrom(before))
        .containsExactly(
            "waitingRoom.admissionsPerSecond=20",
            "waitingRoom.paused=true",
            "waitingRoom.challenge=true");
    assertThat(before.differencesFrom(before)).isEmpty();
    assertThat(definition(null).differencesFrom(before)).containsExactly("waitingRoom");
  }

  private static WaitingRoom room(int perSecond) {
    return new WaitingRoom(
        WaitingRoom.Mode.ADMIT,
        WaitingRoom.Order.ARRIVAL,
        Instant.EPOCH,
        perSecond,
        Duration.ofMinutes(5),
        false,
        false);
  }

  private static CouponDefinition definition(@Nullable WaitingRoom waitingRoom) {
    var opensAt = Instant.parse("2026-05-01T12:00:00Z");
    return new CouponDefinition(
        new CouponId("WELCOME"),
        "Five euros",
        100,
        new Discount.Amount(new Money(500, Currency.getInstance("EUR"))),
        null,
        new IssuanceWindow(opensAt, opensAt.plusSeconds(60)),
        new Validity.Days(30),
        true,
        waitingRoom,
        null);
  }
}
