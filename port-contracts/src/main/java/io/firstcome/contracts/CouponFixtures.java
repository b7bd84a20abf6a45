package io.firstcome.contracts;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponChange.Action;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Currency;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Coupons and claims for tests, the same in every run. */
public final class CouponFixtures {

  /** When claims of fixtures were accepted; {@link #aCoupon()} is open at this time. */
  public static final Instant ACCEPTED_AT = Instant.parse("2026-05-01T09:00:00.123Z");

  /** The operator who defines and changes coupons. */
  public static final Actor OPERATOR = Actor.operator(new UserId("olga"));

  /** The version of the only key in {@link #codeKeys()}. */
  public static final int CODE_KEY_VERSION = 1;

  private static final CodeKeys CODE_KEYS =
      new CodeKeys(
          Map.of(
              CODE_KEY_VERSION,
              "a fixed key that only tests use, 1".getBytes(StandardCharsets.US_ASCII)),
          CODE_KEY_VERSION);

  private CouponFixtures() {}

  /**
   * An active coupon {@code WELCOME} with 100 slots in partition 0 of Redis, of revision 1, open
   * from 2020 to 2100 by any clock.
   */
  public static CouponBuilder aCoupon() {
    return new CouponBuilder();
  }

  /** Keys with one fixed key of version {@value #CODE_KEY_VERSION}. */
  public static CodeKeys codeKeys() {
    return CODE_KEYS;
  }

  /** The change between two revisions of a coupon, with the action that it looks like. */
  public static CouponChange.Changed changed(Coupon before, Coupon after) {
    return new CouponChange.Changed(before, after, action(before, after));
  }

  private static Action action(Coupon before, Coupon after) {
    if (before.status() != after.status()) {
      return switch (after.status()) {
        case DRAFT -> throw new IllegalArgumentException("a coupon cannot become a draft");
        case PAUSED -> Action.PAUSE;
        case ACTIVE -> before.isPublished() ? Action.RESUME : Action.PUBLISH;
        case CLOSED -> Action.CLOSE;
        case ARCHIVED -> Action.ARCHIVE;
      };
    }
    return before.definition().totalQuantity() < after.definition().totalQuantity()
        ? Action.RAISE
        : Action.EDIT;
  }

  /** A campaign of these coupons, of the id SPRING. */
  public static Campaign campaign(int limitPerUser, String... couponIds) {
    return campaign("SPRING", limitPerUser, couponIds);
  }

  /** A campaign of these coupons. */
  public static Campaign campaign(String campaignId, int limitPerUser, String... couponIds) {
    return new Campaign(
        new CampaignId(campaignId),
        limitPerUser,
        Arrays.stream(couponIds).map(CouponId::new).toList());
  }

  /** What stands in place of the user in coupons with the code key of the tests. */
  public static UserId pseudonymOf(UserId user) {
    return CODE_KEYS.pseudonyms(CODE_KEY_VERSION).of(user);
  }

  /** The user's request for a coupon with the code key of the tests, with the pseudonym. */
  public static Claim claimOf(UserId user) {
    return new Claim(user, pseudonymOf(user));
  }

  /** A claim of the coupon that was accepted at {@link #ACCEPTED_AT}. */
  public static AcceptedClaim acceptedClaim(Coupon coupon, UserId user, Slot slot, Epoch epoch) {
    return new AcceptedClaim(
        coupon.id(),
        user,
        slot,
        coupon.partition(),
        epoch,
        ACCEPTED_AT,
        CODE_KEYS.identityOf(coupon.codeKeyVersion(), coupon.id(), user));
  }

  /** A claim of the coupon that was accepted at {@link #ACCEPTED_AT}. */
  public static AcceptedClaim acceptedClaim(Coupon coupon, String user, int slot, long epoch) {
    return acceptedClaim(coupon, new UserId(user), new Slot(slot), new Epoch(epoch));
  }

  /** A late claim of the coupon that was accepted at {@link #ACCEPTED_AT}. */
  public static LateClaim lateClaim(Coupon coupon, String user, int promised) {
    return new LateClaim(
        coupon.id(), new UserId(user), new Slot(promised), coupon.partition(), ACCEPTED_AT);
  }

  /** Builds a coupon; each property has a default value. */
  public static final class CouponBuilder {

    private static final Currency EUR = Currency.getInstance("EUR");

    private CouponId id = new CouponId("WELCOME");
    private @Nullable String name;
    private int total = 100;
    private Discount discount = new Discount.Amount(new Money(500, EUR));
    private @Nullable Money minimumOrder;
    private IssuanceWindow window =
        new IssuanceWindow(
            Instant.parse("2020-01-01T00:00:00Z"), Instant.parse("2100-01-01T00:00:00Z"));
    private Validity validity = new Validity.Days(30);
    private boolean returnsToStock;
    private @Nullable WaitingRoom waitingRoom;
    private @Nullable Duration archiveAfter;
    private CouponStatus status = CouponStatus.ACTIVE;
    private int revision = 1;
    private Partition partition = new Partition(0);
    private int codeKeyVersion = CODE_KEY_VERSION;
    private StockBackend stockBackend = StockBackend.REDIS;
    private @Nullable Campaign campaign;

    private CouponBuilder() {}

    public CouponBuilder withId(String couponId) {
      id = new CouponId(couponId);
      return this;
    }

    public CouponBuilder withTotal(int totalQuantity) {
      total = totalQuantity;
      return this;
    }

    public CouponBuilder withDiscount(Discount value) {
      discount = value;
      return this;
    }

    public CouponBuilder withMinimumOrder(Money value) {
      minimumOrder = value;
      return this;
    }

    /** The issuance window and the validity of every user coupon end at that time. */
    public CouponBuilder endingAt(Instant end) {
      window = new IssuanceWindow(window.opensAt(), end);
      validity = new Validity.Until(end);
      return this;
    }

    public CouponBuilder withValidity(Validity value) {
      validity = value;
      return this;
    }

    public CouponBuilder withWaitingRoom(int admissionsPerSecond) {
      return withWaitingRoom(
          new WaitingRoom(
              WaitingRoom.Mode.ADMIT,
              WaitingRoom.Order.ARRIVAL,
              Instant.EPOCH,
              admissionsPerSecond,
              Duration.ofMinutes(5),
              false,
              false));
    }

    public CouponBuilder withWaitingRoom(WaitingRoom value) {
      waitingRoom = value;
      return this;
    }

    public CouponBuilder archivedAfter(Duration value) {
      archiveAfter = value;
      return this;
    }

    public CouponBuilder withRevision(int value) {
      revision = value;
      return this;
    }

    /** From {@code opensAt} inclusive to {@code closesAt} exclusive. */
    public CouponBuilder opening(Instant opensAt, Instant closesAt) {
      window = new IssuanceWindow(opensAt, closesAt);
      return this;
    }

    public CouponBuilder inPartition(Partition value) {
      partition = value;
      return this;
    }

    public CouponBuilder inPartition(int number) {
      return inPartition(new Partition(number));
    }

    public CouponBuilder returningToStock() {
      returnsToStock = true;
      return this;
    }

    public CouponBuilder withCodeKeyVersion(int version) {
      codeKeyVersion = version;
      return this;
    }

    public CouponBuilder inPostgres() {
      stockBackend = StockBackend.POSTGRES;
      return this;
    }

    /** Slots of a coupon of a campaign go back to stock. */
    public CouponBuilder inCampaign(Campaign value) {
      campaign = value;
      return returningToStock();
    }

    public CouponBuilder draft() {
      status = CouponStatus.DRAFT;
      return this;
    }

    public CouponBuilder named(String value) {
      name = value;
      return this;
    }

    public CouponBuilder paused() {
      status = CouponStatus.PAUSED;
      return this;
    }

    public CouponBuilder closed() {
      status = CouponStatus.CLOSED;
      return this;
    }

    public CouponBuilder archived() {
      status = CouponStatus.ARCHIVED;
      return this;
    }

    public Coupon build() {
      var definition =
          new CouponDefinition(
              id,
              name == null ? "Coupon " + id : name,
              total,
              discount,
              minimumOrder,
              window,
              validity,
              returnsToStock,
              waitingRoom,
              archiveAfter);
      return new Coupon(
          definition, status, revision, partition, codeKeyVersion, stockBackend, campaign);
    }
  }
}
