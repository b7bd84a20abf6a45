package io.firstcome.adapter.persistence.coupon;

import static io.firstcome.adapter.persistence.generated.Tables.CAMPAIGN;
import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;

import io.firstcome.adapter.persistence.generated.tables.records.CampaignRecord;
import io.firstcome.adapter.persistence.generated.tables.records.CouponRecord;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.coupon.WaitingRoom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Currency;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SelectWhereStep;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Maps coupons to rows and back. */
public final class CouponRows {

  private static final String AMOUNT = "AMOUNT";
  private static final String PERCENT = "PERCENT";

  private CouponRows() {}

  /** The number by which the rows of the coupon's user coupons name it; null if there is none. */
  public static Field<Integer> numberOf(CouponId couponId) {
    return field(
        select(COUPON.COUPON_NUMBER).from(COUPON).where(COUPON.COUPON_ID.eq(couponId.value())));
  }

  /**
   * The id of the coupon with that number. It is a subquery and not a join, for which the planner
   * would read the whole table.
   */
  public static Field<String> idOf(Field<Integer> number) {
    return field(select(COUPON.COUPON_ID).from(COUPON).where(COUPON.COUPON_NUMBER.eq(number)));
  }

  /** The earliest revision of the coupon with that number that has its terms. */
  public static Field<Integer> termsRevisionOf(Field<Integer> number) {
    return field(select(COUPON.TERMS_REVISION).from(COUPON).where(COUPON.COUPON_NUMBER.eq(number)));
  }

  /** Whether the window of an active coupon includes that time. */
  public static Condition isOpenAt(Field<Instant> time) {
    return COUPON
        .STATUS
        .eq(inline(CouponStatus.ACTIVE.name()))
        .and(COUPON.OPENS_AT.le(time))
        .and(COUPON.CLOSES_AT.gt(time));
  }

  /** The first instant at which no user coupon of the coupon is valid. */
  public static Field<Instant> validityEnd() {
    return field(
        "coalesce({1}, {0} + {2} * interval '24 hours')",
        SQLDataType.INSTANT, COUPON.CLOSES_AT, COUPON.VALID_UNTIL, COUPON.VALID_DAYS);
  }

  /** A new row; columns that only the database knows keep their defaults. */
  static CouponRecord toRow(Coupon coupon) {
    var row = changeable(coupon);
    row.setCouponId(coupon.id().value());
    row.setPartitionId(coupon.partition().number());
    row.setCodeKeyVersion(coupon.codeKeyVersion());
    row.setStockBackend(coupon.stockBackend().name());
    var campaign = coupon.campaign();
    row.setCampaignId(campaign == null ? null : campaign.id().value());
    return row;
  }

  /** The columns that an operator's change can set, and only these. */
  static CouponRecord changeable(Coupon coupon) {
    var definition = coupon.definition();
    var row = new CouponRecord();
    row.setName(definition.name());
    row.setTotalQuantity(definition.totalQuantity());
    row.setOpensAt(definition.window().opensAt());
    row.setClosesAt(definition.window().closesAt());
    row.setReturnsToStock(definition.returnsToStock());
    row.setStatus(coupon.status().name());
    row.setRevision(coupon.revision());
    putDiscount(definition, row);
    row.setValidUntil(definition.validity() instanceof Validity.Until(var until) ? until : null);
    row.setValidDays(definition.validity() instanceof Validity.Days(var days) ? days : null);
    putWaitingRoom(definition.waitingRoom(), row);
    var archiveAfter = definition.archiveAfter();
    row.setArchiveAfterSeconds(archiveAfter == null ? null : archiveAfter.toSeconds());
    return row;
  }

  private static void putWaitingRoom(@Nullable WaitingRoom room, CouponRecord row) {
    row.setWaitingRoomMode(room == null ? null : room.mode().name());
    row.setWaitingRoomOrder(room == null ? null : room.order().name());
    row.setWaitingRoomJoinsFrom(room == null ? null : room.joinsFrom());
    row.setWaitingRoomAdmissionsPerSecond(room == null ? null : room.admissionsPerSecond());
    row.setWaitingRoomAdmissionSeconds(
        room == null ? null : Math.toIntExact(room.admissionTime().toSeconds()));
    row.setWaitingRoomIsPaused(room == null ? null : room.isPaused());
    row.setWaitingRoomIsChallenged(room == null ? null : room.isChallenged());
  }

  private static @Nullable WaitingRoom waitingRoom(CouponRecord row) {
    return row.getWaitingRoomMode() == null
        ? null
        : new WaitingRoom(
            WaitingRoom.Mode.valueOf(row.getWaitingRoomMode()),
            WaitingRoom.Order.valueOf(row.getWaitingRoomOrder()),
            row.getWaitingRoomJoinsFrom(),
            row.getWaitingRoomAdmissionsPerSecond(),
            Duration.ofSeconds(row.getWaitingRoomAdmissionSeconds()),
            row.getWaitingRoomIsPaused(),
            row.getWaitingRoomIsChallenged());
  }

  private static void putDiscount(CouponDefinition definition, CouponRecord row) {
    row.setCurrency(definition.discount().currency().getCurrencyCode());
    switch (definition.discount()) {
      case Discount.Amount(var money) -> {
        row.setDiscountType(AMOUNT);
        row.setDiscountMinorUnits(money.minorUnits());
        row.setDiscountBasisPoints(null);
        row.setDiscountCapMinorUnits(null);
      }
      case Discount.Percent(var basisPoints, _, var cap) -> {
        row.setDiscountType(PERCENT);
        row.setDiscountMinorUnits(null);
        row.setDiscountBasisPoints(basisPoints);
        row.setDiscountCapMinorUnits(cap == null ? null : cap.minorUnits());
      }
    }
    var minimumOrder = definition.minimumOrder();
    row.setMinimumOrderMinorUnits(minimumOrder == null ? null : minimumOrder.minorUnits());
  }

  /** Selects coupons with their campaigns. */
  public static SelectWhereStep<Record> withCampaigns(DSLContext dsl) {
    return dsl.select(COUPON.fields())
        .select(CAMPAIGN.fields())
        .from(COUPON.leftJoin(CAMPAIGN).on(CAMPAIGN.CAMPAIGN_ID.eq(COUPON.CAMPAIGN_ID)));
  }

  static StoredCoupon storedFromRow(Record row) {
    var removalBegunAt = row.get(COUPON.REMOVAL_BEGUN_AT);
    return new StoredCoupon(
        fromRow(row),
        row.get(COUPON.DEFINED_AT),
        row.get(COUPON.CHANGED_AT),
        removalBegunAt == null
            ? null
            : new StoredCoupon.Removal(
                removalBegunAt,
                row.get(COUPON.REMOVAL_ENDED_AT),
                row.get(COUPON.REMOVED_USER_COUPONS)));
  }

  /** The coupon of a row of {@link #withCampaigns}. */
  public static Coupon fromRow(Record row) {
    var campaign = row.get(COUPON.CAMPAIGN_ID) == null ? null : campaign(row.into(CAMPAIGN));
    return coupon(row.into(COUPON), campaign);
  }

  static Campaign campaign(CampaignRecord row) {
    return new Campaign(
        new CampaignId(row.getCampaignId()),
        row.getLimitPerUser(),
        Arrays.stream(row.getCouponIds()).map(CouponId::new).toList());
  }

  private static Coupon coupon(CouponRecord row, @Nullable Campaign campaign) {
    var currency = Currency.getInstance(row.getCurrency());
    var archiveAfter = row.getArchiveAfterSeconds();
    var definition =
        new CouponDefinition(
            new CouponId(row.getCouponId()),
            row.getName(),
            row.getTotalQuantity(),
            discount(row, currency),
            money(row.getMinimumOrderMinorUnits(), currency),
            new IssuanceWindow(row.getOpensAt(), row.getClosesAt()),
            row.getValidUntil() == null
                ? new Validity.Days(row.getValidDays())
                : new Validity.Until(row.getValidUntil()),
            row.getReturnsToStock(),
            waitingRoom(row),
            archiveAfter == null ? null : Duration.ofSeconds(archiveAfter));
    return new Coupon(
        definition,
        CouponStatus.valueOf(row.getStatus()),
        row.getRevision(),
        new Partition(row.getPartitionId()),
        row.getCodeKeyVersion(),
        StockBackend.valueOf(row.getStockBackend()),
        campaign);
  }

  private static Discount discount(CouponRecord row, Currency currency) {
    return switch (row.getDiscountType()) {
      case AMOUNT -> new Discount.Amount(new Money(row.getDiscountMinorUnits(), currency));
      case PERCENT ->
          new Discount.Percent(
              row.getDiscountBasisPoints(),
              currency,
              money(row.getDiscountCapMinorUnits(), currency));
      default ->
          throw new IllegalStateException(
              "unknown %s: '%s'".formatted(COUPON.DISCOUNT_TYPE, row.getDiscountType()));
    };
  }

  private static @Nullable Money money(@Nullable Long minorUnits, Currency currency) {
    return minorUnits == null ? null : new Money(minorUnits, currency);
  }
}
