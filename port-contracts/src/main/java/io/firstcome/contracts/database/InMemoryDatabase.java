package io.firstcome.contracts.database;

import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseUnavailableException;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.port.WrongCodes;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The database's ports over one state in memory: the reference for what an adapter does.
 *
 * <p>One lock stands for all of a database's transactions, so each call is atomic and what one
 * adapter wrote is seen by the others at once. Safe for use by many threads.
 */
public final class InMemoryDatabase {

  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final InMemoryTables tables = new InMemoryTables();
  private final InMemoryCouponRepository coupons = new InMemoryCouponRepository(this, tables);
  private final InMemoryUserCouponRepository userCoupons =
      new InMemoryUserCouponRepository(this, tables);
  private final InMemorySlotReturns slotReturns = new InMemorySlotReturns(this, tables);
  private final InMemoryLateClaimRepository lateClaims =
      new InMemoryLateClaimRepository(this, tables);
  private final InMemoryDeadLetters deadLetters = new InMemoryDeadLetters(this, tables);
  private final InMemoryWrongCodes wrongCodes = new InMemoryWrongCodes(this, tables);
  private final InMemoryAuditTrail audit = new InMemoryAuditTrail(this, tables);
  private final InMemoryEventOutbox events = new InMemoryEventOutbox(this, tables);
  private final InMemoryPartitionEpochs epochs = new InMemoryPartitionEpochs(this, tables);

  private boolean away;

  /** With the machine's clock for its own. */
  public InMemoryDatabase() {
    this(InstantSource.system());
  }

  /**
   * @param clock the database's own
   */
  public InMemoryDatabase(InstantSource clock) {
    this.clock = clock;
  }

  /** To the millisecond, as it is kept. */
  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  public CouponRepository coupons() {
    return coupons;
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

  public PartitionEpochs epochs() {
    return epochs;
  }

  public DatabasePorts ports() {
    return new DatabasePorts(
        coupons,
        userCoupons,
        slotReturns,
        lateClaims,
        deadLetters,
        wrongCodes,
        audit,
        events,
        epochs);
  }

  /** All there are, in no order. */
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

  /** Makes every call fail with {@link DatabaseUnavailableException} until {@link #comeBack()}. */
  public void goAway() {
    locked(() -> away = true);
  }

  public void comeBack() {
    locked(() -> away = false);
  }

  /** What the database holds at a moment. */
  public static final class Backup {

    private final InMemoryTables tables;

    private Backup(InMemoryTables tables) {
      this.tables = tables;
    }
  }

  public Backup backUp() {
    return locked(() -> new Backup(tables.copy()));
  }

  /** Forgets everything since the backup. */
  public void restore(Backup backup) {
    locked(() -> {
      tables.become(backup.tables);
      return true;
    });
  }

  /**
   * Forgets what operators have changed of coupons since the backup, and nothing else.
   *
   * @return false if there is nothing to forget, or a partition was recovered since; nothing
   *     happened
   */
  public boolean forgetChanges(Backup backup) {
    return locked(() -> tables.forgetChanges(backup.tables));
  }

  /** Runs the work alone. */
  <T> T transaction(Supplier<T> work) {
    return locked(() -> {
      if (away) {
        throw new DatabaseUnavailableException(
            Effect.NONE,
            "the database in memory was told to be away",
            new IllegalStateException("away"));
      }
      return work.get();
    });
  }

  /** Runs the work alone, even where the database is away. */
  <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
