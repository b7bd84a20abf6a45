package io.firstcome.domain.coupon;

import io.firstcome.domain.coupon.CouponChange.Action;
import io.firstcome.domain.coupon.CouponChange.Refused.Reason;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A coupon as the system stores it.
 *
 * @param revision counts the operators' changes, from 1; the stock backend accepts only a newer one
 * @param partition of its stock; stored at definition and never computed again, so that another
 *     partition count cannot move an existing coupon
 * @param codeKeyVersion the version of the code key of its user coupons; it never changes
 * @param stockBackend of its stock
 * @param campaign to which it belongs, or null; it never changes after the publication
 */
public record Coupon(
    CouponDefinition definition,
    CouponStatus status,
    int revision,
    Partition partition,
    int codeKeyVersion,
    StockBackend stockBackend,
    @Nullable Campaign campaign) {

  public Coupon {
    if (revision < 1) {
      throw new IllegalArgumentException("revision must be positive: " + revision);
    }
    if (codeKeyVersion < 1) {
      throw new IllegalArgumentException("codeKeyVersion must be positive: " + codeKeyVersion);
    }
    if (stockBackend == StockBackend.POSTGRES && definition.waitingRoom() != null) {
      throw new InvalidMemberException("waitingRoom", "needs a coupon whose stock is in Redis");
    }
    if (campaign != null && !campaign.couponIds().contains(definition.couponId())) {
      throw new IllegalArgumentException(
          "campaign %s does not have %s".formatted(campaign.id(), definition.couponId()));
    }
    if (campaign != null && !definition.returnsToStock()) {
      throw new IllegalArgumentException("a coupon of a campaign must return to stock");
    }
  }

  /** A coupon that belongs to no campaign. */
  public Coupon(
      CouponDefinition definition,
      CouponStatus status,
      int revision,
      Partition partition,
      int codeKeyVersion,
      StockBackend stockBackend) {
    this(definition, status, revision, partition, codeKeyVersion, stockBackend, null);
  }

  /** A new coupon without claims. */
  public static Coupon define(
      CouponDefinition definition,
      Partition partition,
      int codeKeyVersion,
      StockBackend stockBackend) {
    return new Coupon(definition, CouponStatus.ACTIVE, 1, partition, codeKeyVersion, stockBackend);
  }

  /** A new coupon that is not published yet. */
  public static Coupon draft(
      CouponDefinition definition,
      Partition partition,
      int codeKeyVersion,
      StockBackend stockBackend) {
    return new Coupon(definition, CouponStatus.DRAFT, 1, partition, codeKeyVersion, stockBackend);
  }

  public CouponId id() {
    return definition.couponId();
  }

  /** Whether customers can see it. */
  public boolean isPublished() {
    return status != CouponStatus.DRAFT;
  }

  /** Whether it has stock, from which slots are allocated. */
  public boolean hasStock() {
    return switch (status) {
      case ACTIVE, PAUSED, CLOSED -> true;
      case DRAFT, ARCHIVED -> false;
    };
  }

  /**
   * Where the coupon is in its life.
   *
   * @param free slots that can still be claimed, or null if that is not known: then a coupon that
   *     is sold out is said to be open
   */
  public CouponPhase phaseAt(Instant now, @Nullable Integer free) {
    return switch (status) {
      case DRAFT -> CouponPhase.DRAFT;
      case ARCHIVED -> CouponPhase.ARCHIVED;
      case CLOSED -> CouponPhase.ENDED;
      case ACTIVE, PAUSED -> {
        var window = definition.window();
        if (!now.isBefore(window.closesAt())) {
          yield CouponPhase.ENDED;
        }
        if (status == CouponStatus.PAUSED) {
          yield CouponPhase.PAUSED;
        }
        if (now.isBefore(window.opensAt())) {
          yield CouponPhase.SCHEDULED;
        }
        yield free != null && free == 0 ? CouponPhase.SOLD_OUT : CouponPhase.OPEN;
      }
    };
  }

  /** Makes a draft visible to customers, and claimable in its window. */
  public CouponChange publish() {
    return status == CouponStatus.DRAFT
        ? changed(definition, CouponStatus.ACTIVE, Action.PUBLISH)
        : new CouponChange.AlreadySo();
  }

  /**
   * Replaces the definition. Of a published coupon, the name, a later end of the window and a
   * larger quantity can always be changed; everything else only as long as nobody has claimed it,
   * see {@link CouponChange.Changed#needsNoClaims}.
   *
   * @throws IllegalArgumentException if the definition is of another coupon, or needs another stock
   *     backend
   */
  public CouponChange edit(CouponDefinition wanted) {
    if (!wanted.couponId().equals(id())) {
      throw new IllegalArgumentException(
          "couponId must be %s: %s".formatted(id(), wanted.couponId()));
    }
    if (wanted.equals(definition)) {
      return new CouponChange.AlreadySo();
    }
    return ifChangeable(() ->
        campaign != null && !wanted.returnsToStock()
            ? new CouponChange.Refused(Reason.MUST_RETURN_TO_STOCK)
            : changed(wanted, status, Action.EDIT));
  }

  /**
   * Changes what can change in a waiting room at any time.
   *
   * @param perSecond as in {@link WaitingRoom#admissionsPerSecond}
   * @param paused as in {@link WaitingRoom#isPaused}
   * @param challenged as in {@link WaitingRoom#isChallenged}
   * @throws IllegalStateException if the coupon has no waiting room
   * @throws InvalidMemberException if the number is out of range
   */
  public CouponChange changeRoom(int perSecond, boolean paused, boolean challenged) {
    var room = definition.waitingRoom();
    if (room == null) {
      throw new IllegalStateException("no waiting room: " + id());
    }
    var changed = room.withPace(perSecond, paused).withChallenge(challenged);
    return ifPublished(() -> edit(definition.withWaitingRoom(changed)));
  }

  /**
   * Puts a draft into a campaign.
   *
   * @param common the partition of all coupons of the campaign; a draft has no stock that would
   *     have to be moved
   * @throws IllegalStateException if it is published, or in a campaign already
   * @throws IllegalArgumentException if its slots do not go back to stock
   */
  public CouponChange.Changed join(Campaign joined, Partition common) {
    if (isPublished() || campaign != null) {
      throw new IllegalStateException("only a draft without a campaign can join one: " + id());
    }
    var member =
        new Coupon(definition, status, revision + 1, common, codeKeyVersion, stockBackend, joined);
    return new CouponChange.Changed(this, member, Action.JOIN);
  }

  /**
   * Takes a draft out of its campaign. It keeps its partition.
   *
   * @throws IllegalStateException if it is published, or in no campaign
   */
  public CouponChange.Changed leaveCampaign() {
    if (isPublished() || campaign == null) {
      throw new IllegalStateException("only a draft of a campaign can leave it: " + id());
    }
    return new CouponChange.Changed(
        this,
        new Coupon(definition, status, revision + 1, partition, codeKeyVersion, stockBackend),
        Action.LEAVE);
  }

  /** Refuses claims until the coupon is resumed. */
  public CouponChange pause() {
    return to(CouponStatus.PAUSED, Action.PAUSE);
  }

  /** Accepts claims again. */
  public CouponChange resume() {
    return to(CouponStatus.ACTIVE, Action.RESUME);
  }

  /** Refuses claims permanently. */
  public CouponChange close() {
    return to(CouponStatus.CLOSED, Action.CLOSE);
  }

  /**
   * Archives a closed coupon: only the database has its data from then on. This does not check
   * whether everything is recorded.
   */
  public CouponChange archive() {
    return switch (status) {
      case DRAFT -> new CouponChange.Refused(Reason.NOT_PUBLISHED);
      case ACTIVE, PAUSED -> new CouponChange.Refused(Reason.NOT_CLOSED);
      case CLOSED -> changed(definition, CouponStatus.ARCHIVED, Action.ARCHIVE);
      case ARCHIVED -> new CouponChange.AlreadySo();
    };
  }

  /**
   * When it is archived by itself, after the validity of its last possible user coupon; or never.
   */
  public Optional<Instant> archivedFrom() {
    var lastEnd = definition.validity().endsAt(definition.window().closesAt());
    return Optional.ofNullable(definition.archiveAfter()).map(lastEnd::plus);
  }

  /** What the coupon is worth on an order. This does not check whether a user coupon is usable. */
  public Worth worthOn(Money order) {
    if (!order.currency().equals(definition.discount().currency())) {
      return new Worth.Nothing(Worth.Nothing.Reason.WRONG_CURRENCY);
    }
    var minimum = definition.minimumOrder();
    var discount = definition.discount().on(order);
    return discount.minorUnits() == 0 || (minimum != null && order.isLessThan(minimum))
        ? new Worth.Nothing(Worth.Nothing.Reason.BELOW_MINIMUM)
        : new Worth.Off(discount);
  }

  /**
   * Raises the quantity. It can never be lowered, since allocated slots stay.
   *
   * @param totalQuantity slots, 1 to {@value CouponDefinition#MAX_TOTAL_QUANTITY}
   * @throws IllegalArgumentException if it is out of range
   */
  public CouponChange raiseTo(int totalQuantity) {
    CouponDefinition.requireTotalQuantity(totalQuantity);
    if (isPublished() && totalQuantity == definition.totalQuantity()) {
      return new CouponChange.AlreadySo();
    }
    return ifPublished(() ->
        totalQuantity < definition.totalQuantity()
            ? new CouponChange.Refused(Reason.LOWER_QUANTITY)
            : changed(definition.withTotalQuantity(totalQuantity), status, Action.RAISE));
  }

  /**
   * The same terms in a later revision, so that a stock accepts them as newer.
   *
   * @throws IllegalArgumentException if the revision is not later
   */
  public Coupon withRevision(int later) {
    if (later <= revision) {
      throw new IllegalArgumentException(
          "revision must be later than %d: %d".formatted(revision, later));
    }
    return new Coupon(definition, status, later, partition, codeKeyVersion, stockBackend, campaign);
  }

  private CouponChange to(CouponStatus wanted, Action action) {
    return status == wanted
        ? new CouponChange.AlreadySo()
        : ifPublished(() -> changed(definition, wanted, action));
  }

  private CouponChange ifPublished(Supplier<CouponChange> change) {
    return isPublished() ? ifChangeable(change) : new CouponChange.Refused(Reason.NOT_PUBLISHED);
  }

  private CouponChange ifChangeable(Supplier<CouponChange> change) {
    return switch (status) {
      case DRAFT, ACTIVE, PAUSED -> change.get();
      case CLOSED -> new CouponChange.Refused(Reason.CLOSED_FOR_GOOD);
      case ARCHIVED -> new CouponChange.Refused(Reason.ARCHIVED_FOR_GOOD);
    };
  }

  private CouponChange changed(
      CouponDefinition newDefinition, CouponStatus newStatus, Action action) {
    return new CouponChange.Changed(
        this,
        new Coupon(
            newDefinition,
            newStatus,
            revision + 1,
            partition,
            codeKeyVersion,
            stockBackend,
            campaign),
        action);
  }
}
