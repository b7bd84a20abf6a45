package io.firstcome.contracts.database;

import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.CampaignRepository;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.InstanceReports;
import io.firstcome.domain.port.IssuanceCurves;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.port.RoomRecords;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.port.UserCouponRetention;
import io.firstcome.domain.port.UserErasures;
import io.firstcome.domain.port.WebhookDeliveries;
import io.firstcome.domain.port.WebhookEndpoints;
import io.firstcome.domain.port.WrongCodes;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The in-memory reference implementation of the database's ports, over one state.
 *
 * <p>One lock replaces all transactions of a database: each call is atomic, and its writes are
 * visible to the other ports at once. Thread-safe.
 */
public final class InMemoryDatabase {

  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final InMemoryTables tables = new InMemoryTables();
  private final InMemoryCouponRepository coupons = new InMemoryCouponRepository(this, tables);
  private final InMemoryCampaignRepository campaigns = new InMemoryCampaignRepository(this, tables);
  private final InMemoryRoomRecords rooms = new InMemoryRoomRecords(this, tables);
  private final InMemoryUserCouponRepository userCoupons =
      new InMemoryUserCouponRepository(this, tables);
  private final InMemorySlotReturns slotReturns = new InMemorySlotReturns(this, tables);
  private final InMemoryLateClaimRepository lateClaims =
      new InMemoryLateClaimRepository(this, tables);
  private final InMemoryDeadLetters deadLetters = new InMemoryDeadLetters(this, tables);
  private final InMemoryWrongCodes wrongCodes = new InMemoryWrongCodes(this, tables);
  private final InMemoryAuditTrail audit = new InMemoryAuditTrail(this, tables);
  private final InMemoryEventOutbox events = new InMemoryEventOutbox(this, tables);
  private final InMemoryWebhookEndpoints webhooks = new InMemoryWebhookEndpoints(this, tables);
  private final InMemoryWebhookDeliveries deliveries = new InMemoryWebhookDeliveries(this, tables);
  private final InMemoryUserCouponRetention retention =
      new InMemoryUserCouponRetention(this, tables);
  private final InMemoryUserErasures erasures = new InMemoryUserErasures(this, tables);
  private final InMemoryIssuanceCurves curves = new InMemoryIssuanceCurves(this, tables);
  private final InMemoryInstanceReports instances = new InMemoryInstanceReports(this, tables);
  private final InMemoryRehearsals rehearsals = new InMemoryRehearsals(this, tables);
  private final InMemoryPartitionEpochs epochs = new InMemoryPartitionEpochs(this, tables);

  private boolean unreachable;

  /** A database with the machine's clock. */
  public InMemoryDatabase() {
    this(InstantSource.system());
  }

  /**
   * @param clock the clock of the database
   */
  public InMemoryDatabase(InstantSource clock) {
    this.clock = clock;
  }

  /** The time of the database, truncated to milliseconds as in rows. */
  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  public CouponRepository coupons() {
    return coupons;
  }

  public CampaignRepository campaigns() {
    return campaigns;
  }

  public RoomRecords rooms() {
    return rooms;
  }

  public UserCouponRepository userCoupons() {
    return userCoupons;
  }

  public SlotReturns slotReturns() {
    return slotReturns;
  }

  public LateClaimRepository lateClaims() {
    return lateClaims;
  }

  public DeadLetters deadLetters() {
    return deadLetters;
  }

  public WrongCodes wrongCodes() {
    return wrongCodes;
  }

  public AuditTrail audit() {
    return audit;
  }

  public EventOutbox events() {
    return events;
  }

  public WebhookEndpoints webhooks() {
    return webhooks;
  }

  public WebhookDeliveries deliveries() {
    return deliveries;
  }

  public UserCouponRetention retention() {
    return retention;
  }

  public UserErasures erasures() {
    return erasures;
  }

  public IssuanceCurves curves() {
    return curves;
  }

  public InstanceReports instances() {
    return instances;
  }

  public Rehearsals rehearsals() {
    return rehearsals;
  }

  public PartitionEpochs epochs() {
    return epochs;
  }

  public DatabasePorts ports() {
    return new DatabasePorts(
        coupons,
        campaigns,
        rooms,
        userCoupons,
        slotReturns,
        lateClaims,
        deadLetters,
        wrongCodes,
        audit,
        events,
        webhooks,
        deliveries,
        retention,
        erasures,
        curves,
        instances,
        rehearsals,
        epochs);
  }

  /** All user coupons, in no order. */
  public List<UserCoupon> allUserCoupons() {
    return locked(() -> tables.userCoupons().toList());
  }

  /** Whether any event is not published yet. */
  public boolean hasEvents() {
    return locked(() -> !tables.events.isEmpty());
  }

  /** Ends the transaction that publishes events, if one is open: its deletions are undone. */
  public void endPublishing() {
    events.endPublishing();
  }

  /** Makes every call fail with {@link DatabaseUnavailableException} until {@link #reconnect()}. */
  public void disconnect() {
    locked(() -> unreachable = true);
  }

  public void reconnect() {
    locked(() -> unreachable = false);
  }

  /** A snapshot of the database. */
  public static final class Backup {

    private final InMemoryTables tables;

    private Backup(InMemoryTables tables) {
      this.tables = tables;
    }
  }

  public Backup backUp() {
    return locked(() -> new Backup(tables.copy()));
  }

  /** Restores the backup: everything since then is lost. */
  public void restore(Backup backup) {
    locked(() -> {
      tables.become(backup.tables);
      return true;
    });
  }

  /**
   * Loses the changes of coupons by operators since the backup, and nothing else.
   *
   * @return false, without effect, if there is no change to lose, or a partition was recovered
   *     since
   */
  public boolean forgetChanges(Backup backup) {
    return locked(() -> tables.forgetChanges(backup.tables));
  }

  /** Runs the work exclusively. */
  <T> T transaction(Supplier<T> work) {
    return locked(() -> {
      if (unreachable) {
        throw new DatabaseUnavailableException(
            Effect.NONE,
            "the in-memory database is not reachable",
            new IllegalStateException("not reachable"));
      }
      return work.get();
    });
  }

  /** Runs the work exclusively, even while the database is not reachable. */
  <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
