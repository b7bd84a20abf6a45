package io.firstcome.contracts.database;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntryId;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.coupon.StoredCoupon.Removal;
import io.firstcome.domain.curve.ClaimTally;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.erasure.ErasureId;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.WrongCodes;
import io.firstcome.domain.shop.CodeSource;
import io.firstcome.domain.usercoupon.CouponCode;
import io.firstcome.domain.usercoupon.RecordedRedemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.waitingroom.RoomRecord;
import io.firstcome.domain.webhook.DeliveryId;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookId;
import io.firstcome.domain.webhook.WebhookMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of {@link InMemoryDatabase}. Not thread-safe: only used in its transactions. */
final class InMemoryTables {

  static final Comparator<UserCouponId> BY_TEXT = Comparator.comparing(UserCouponId::toString);

  /** In the order in which they were defined. */
  final Map<CouponId, CouponRow> coupons = new LinkedHashMap<>();

  final Map<CampaignId, Campaign> campaigns = new HashMap<>();

  final Map<CouponId, RoomRecord> rooms = new HashMap<>();

  final Map<Partition, Epoch> epochs = new HashMap<>();
  final Set<Partition> recovering = new HashSet<>();
  final Set<CouponCode> codes = new HashSet<>();

  final NavigableMap<DeadLetterId, DeadLetter> deadLetters = new TreeMap<>();

  /** The number of all dead letters so far, as a sequence counts them. */
  long lastDeadLetterId;

  /** User coupons whose slot is to go back to stock, and their users. */
  final NavigableMap<UserCouponId, UserId> slotReturns = new TreeMap<>(BY_TEXT);

  final Map<CodeSource, WrongCodes.Count> wrongCodes = new HashMap<>();

  final List<ClaimTally> tallies = new ArrayList<>();

  /** By name. A restore does not matter to them: they are renewed within a second. */
  final Map<String, InMemoryInstanceReports.Stored> instances = new HashMap<>();

  /** By id. A restore does not matter to them either. */
  final NavigableMap<Long, InMemoryRehearsals.Stored> rehearsals = new TreeMap<>();

  final NavigableMap<ErasureId, Erasure> erasures = new TreeMap<>();

  /** Oldest first. */
  final List<AuditEntry.Kept> audit = new ArrayList<>();

  /** Not yet published, oldest first. */
  final NavigableMap<Long, CouponEvent> events = new TreeMap<>();

  /** Events whose deliveries to webhooks were added. */
  final Set<Long> handedOver = new HashSet<>();

  final NavigableMap<WebhookId, InMemoryWebhookEndpoints.Row> webhooks = new TreeMap<>();

  final NavigableMap<DeliveryId, InMemoryWebhookDeliveries.Row> deliveries = new TreeMap<>();

  /** The numbers of all webhooks and deliveries so far, as a sequence counts them. */
  long lastWebhook;

  long lastDelivery;

  /** The number of all events so far. A restore does not reset it, which is harmless. */
  private long lastEvent;

  /** The number of all audit entries so far. A restore does not reset it either. */
  private long lastAuditEntry;

  private final Map<CouponId, CouponRows> rowsByCoupon = new HashMap<>();

  Stream<RecordedRedemption> redemptions() {
    return rowsByCoupon.values().stream().flatMap(rows -> rows.redemptions.values().stream());
  }

  InMemoryTables copy() {
    var copy = new InMemoryTables();
    copy.become(this);
    return copy;
  }

  /** Replaces the content by that of the other tables, except the recovery leases. */
  void become(InMemoryTables other) {
    coupons.clear();
    coupons.putAll(other.coupons);
    campaigns.clear();
    campaigns.putAll(other.campaigns);
    rooms.clear();
    rooms.putAll(other.rooms);
    epochs.clear();
    epochs.putAll(other.epochs);
    codes.clear();
    codes.addAll(other.codes);
    deadLetters.clear();
    deadLetters.putAll(other.deadLetters);
    lastDeadLetterId = other.lastDeadLetterId;
    slotReturns.clear();
    slotReturns.putAll(other.slotReturns);

    tallies.clear();
    tallies.addAll(other.tallies);
    erasures.clear();
    erasures.putAll(other.erasures);
    wrongCodes.clear();
    wrongCodes.putAll(other.wrongCodes);
    audit.clear();
    audit.addAll(other.audit);
    events.clear();
    events.putAll(other.events);
    handedOver.clear();
    handedOver.addAll(other.handedOver);
    webhooks.clear();
    webhooks.putAll(other.webhooks);
    deliveries.clear();
    deliveries.putAll(other.deliveries);
    lastWebhook = other.lastWebhook;
    lastDelivery = other.lastDelivery;
    rowsByCoupon.clear();
    other.rowsByCoupon.forEach((couponId, rows) -> rowsByCoupon.put(couponId, rows.copy()));
  }

  boolean forgetChanges(InMemoryTables earlier) {
    if (!epochs.equals(earlier.epochs) || coupons.equals(earlier.coupons)) {
      return false;
    }
    coupons.putAll(earlier.coupons);
    return true;
  }

  CouponRows rows(CouponId couponId) {
    return rowsByCoupon.computeIfAbsent(couponId, id -> new CouponRows());
  }

  /** The user coupons of all coupons. */
  Stream<UserCoupon> userCoupons() {
    return rowsByCoupon.values().stream().flatMap(rows -> rows.byUser.values().stream());
  }

  void addToAudit(AuditEntry entry) {
    audit.add(new AuditEntry.Kept(new AuditEntryId(++lastAuditEntry), entry));
  }

  boolean isAnyWebhookEnabled() {
    return webhooks.values().stream().anyMatch(row -> row.endpoint().isEnabled());
  }

  DeliveryId addDelivery(WebhookEndpoint webhook, WebhookMessage message, Instant at) {
    var id = new DeliveryId(++lastDelivery);
    deliveries.put(id, InMemoryWebhookDeliveries.Row.added(id, webhook.id(), message, at));
    return id;
  }

  void addToOutbox(CouponEvent event) {
    events.put(++lastEvent, event);
  }

  Epoch epoch(Partition partition) {
    return epochs.getOrDefault(partition, Epoch.NONE);
  }

  /**
   * The row of a coupon.
   *
   * @param stockRevision its latest revision that the stock backend is known to have; 0 if none
   * @param frozenAt when its stock was last about to be frozen, or null
   * @param termsRevision its latest revision that was edited before the first claim, or 1
   */
  record CouponRow(
      StoredCoupon stored, int stockRevision, @Nullable Instant frozenAt, int termsRevision) {

    static CouponRow added(Coupon coupon, Instant at) {
      return new CouponRow(new StoredCoupon(coupon, at, at), 0, null, 1);
    }

    Coupon coupon() {
      return stored.coupon();
    }

    Instant definedAt() {
      return stored.definedAt();
    }

    CouponRow changed(Coupon coupon, Instant at) {
      return new CouponRow(
          new StoredCoupon(coupon, definedAt(), at), stockRevision, frozenAt, termsRevision);
    }

    /** Changed by an edit that was possible only before the first claim. */
    CouponRow edited(Coupon coupon, Instant at) {
      return new CouponRow(
          new StoredCoupon(coupon, definedAt(), at), stockRevision, null, coupon.revision());
    }

    CouponRow raised(Coupon coupon) {
      return new CouponRow(
          new StoredCoupon(coupon, definedAt(), stored.changedAt()),
          stockRevision,
          frozenAt,
          termsRevision);
    }

    CouponRow frozen(Instant at) {
      return new CouponRow(stored, stockRevision, at, termsRevision);
    }

    CouponRow applied(int revision) {
      return new CouponRow(stored, Math.max(stockRevision, revision), null, termsRevision);
    }

    CouponRow removing(Removal removal) {
      return new CouponRow(
          new StoredCoupon(coupon(), definedAt(), stored.changedAt(), removal),
          stockRevision,
          frozenAt,
          termsRevision);
    }

    boolean isUnapplied() {
      return stockRevision < coupon().revision();
    }
  }

  /** The rows of one coupon's claims. */
  static final class CouponRows {
    final Map<UserId, UserCoupon> byUser = new HashMap<>();
    final NavigableSet<SlotOwner> slotOwners = new TreeSet<>(SlotOwner.BY_SLOT);
    final Set<Slot> liveSlots = new HashSet<>();

    /** The redemptions of current and earlier orders. */
    final Map<RedemptionId, RecordedRedemption> redemptions = new HashMap<>();

    /** By slot that was returned: the generation that was returned last. */
    final Map<Slot, Integer> generations = new HashMap<>();

    final NavigableMap<UserId, LateClaim> late = new TreeMap<>();

    /** When the claim of a user was rejected. */
    final NavigableMap<UserId, Instant> rejected = new TreeMap<>();

    /** The pseudonyms in rows of users who were erased. */
    final Map<CouponCode, UserId> pseudonyms = new HashMap<>();

    boolean hasClaims() {
      return !(byUser.isEmpty() && late.isEmpty() && rejected.isEmpty());
    }

    void add(UserCoupon row) {
      byUser.put(row.userId(), row);
      slotOwners.add(owner(row, true));
      liveSlots.add(row.slot());
    }

    void slotWentBack(UserCoupon row) {
      slotOwners.remove(owner(row, true));
      slotOwners.add(owner(row, false));
      liveSlots.remove(row.slot());
      generations.put(row.slot(), row.ownership().generation());
    }

    static SlotOwner owner(UserCoupon row, boolean live) {
      return new SlotOwner(row.userId(), row.slot(), row.ownership().generation(), live);
    }

    /** The slot and its generations are not counted anew: the coupon cannot be claimed. */
    void remove(UserCoupon row) {
      byUser.remove(row.userId());
      slotOwners.remove(owner(row, !row.slotWentBack()));
      liveSlots.remove(row.slot());
      redemptions.keySet().removeIf(id -> id.userCouponId().equals(row.id()));
    }

    CouponRows copy() {
      var copy = new CouponRows();
      copy.byUser.putAll(byUser);
      copy.slotOwners.addAll(slotOwners);
      copy.liveSlots.addAll(liveSlots);
      copy.redemptions.putAll(redemptions);
      copy.generations.putAll(generations);
      copy.late.putAll(late);
      copy.rejected.putAll(rejected);
      copy.pseudonyms.putAll(pseudonyms);
      return copy;
    }
  }
}
