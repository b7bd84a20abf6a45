package io.firstcome.contracts.database;

import static java.util.Objects.requireNonNull;

import io.firstcome.contracts.database.InMemoryTables.CouponRows;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.erasure.Erasure.Obstacle;
import io.firstcome.domain.erasure.ErasureId;
import io.firstcome.domain.event.CouponEvent;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.UserErasures;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.Ownership;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link UserErasures} in memory. Events are always published. */
final class InMemoryUserErasures implements UserErasures {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryUserErasures(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public Erasure request(UserId user, Actor operator, Instant at) {
    return database.transaction(() ->
        tables.erasures.values().stream()
            .filter(erasure -> user.equals(erasure.userId()))
            .findFirst()
            .orElseGet(() -> add(user, operator, at)));
  }

  private Erasure add(UserId user, Actor operator, Instant at) {
    long last = tables.erasures.isEmpty() ? 0 : tables.erasures.lastKey().number();
    var erasure = new Erasure(new ErasureId(last + 1), user, at, null, 0, null);
    tables.erasures.put(erasure.id(), erasure);
    tables.addToAudit(AuditEntry.ofErasureRequest(erasure.id(), operator, at));
    return erasure;
  }

  @Override
  public Optional<Erasure> find(ErasureId id) {
    return database.transaction(() -> Optional.ofNullable(tables.erasures.get(id)));
  }

  @Override
  public List<Erasure> pending(@Nullable ErasureId after, int max) {
    return database.transaction(() ->
        tables.erasures.values().stream()
            .filter(erasure -> !erasure.hasEnded())
            .filter(erasure -> after == null || erasure.id().compareTo(after) > 0)
            .limit(max)
            .toList());
  }

  @Override
  public void noteObstacle(ErasureId id, Obstacle obstacle) {
    database.transaction(() ->
        tables.erasures.computeIfPresent(
            id,
            (_, erasure) ->
                erasure.hasEnded()
                    ? erasure
                    : new Erasure(
                        id,
                        erasure.userId(),
                        erasure.requestedAt(),
                        obstacle,
                        erasure.userCoupons(),
                        null)));
  }

  @Override
  public Optional<Obstacle> unrecorded(UserId user) {
    return database.transaction(() -> unrecordedNow(user));
  }

  private Optional<Obstacle> unrecordedNow(UserId user) {
    if (rowsOfCoupons().stream().anyMatch(rows -> rows.late.containsKey(user))) {
      return Optional.of(Obstacle.LATE_CLAIM);
    }
    return tables.deadLetters.values().stream()
        .filter(letter -> names(letter.content(), user))
        .map(_ -> Obstacle.DEAD_LETTER)
        .findFirst();
  }

  private static boolean names(Content content, UserId user) {
    return switch (content) {
      case Content.Claims(var entry) ->
          entry.claims().stream().anyMatch(claim -> claim.userId().equals(user));
      case Content.Unreadable unreadable -> unreadable.names(user);
    };
  }

  private List<CouponRows> rowsOfCoupons() {
    return tables.coupons.keySet().stream().map(tables::rows).toList();
  }

  @Override
  public List<CouponId> coupons(UserId user, @Nullable CouponId after, int max) {
    return database.transaction(() ->
        tables.coupons.keySet().stream()
            .filter(couponId -> isIn(tables.rows(couponId), user))
            .filter(couponId -> after == null || couponId.compareTo(after) > 0)
            .sorted()
            .limit(max)
            .toList());
  }

  private static boolean isIn(CouponRows rows, UserId user) {
    return rows.byUser.containsKey(user) || rows.rejected.containsKey(user);
  }

  @Override
  public Optional<Obstacle> erase(
      ErasureId id,
      CouponId couponId,
      UserId pseudonym,
      boolean eventsArePublished,
      Runnable inStock) {
    return database.transaction(() -> {
      var erasure = tables.erasures.get(id);
      if (erasure == null || erasure.userId() == null || !tables.coupons.containsKey(couponId)) {
        return Optional.empty();
      }
      var user = erasure.userId();
      var rows = tables.rows(couponId);
      var row = rows.byUser.get(user);
      var obstacle = row == null ? Optional.<Obstacle>empty() : obstacle(row, eventsArePublished);
      if (obstacle.isPresent()) {
        return obstacle;
      }
      inStock.run();
      if (row != null) {
        erase(rows, row, pseudonym);
        tables.erasures.put(id, counted(erasure));
      }
      var rejectedAt = rows.rejected.remove(user);
      if (rejectedAt != null) {
        rows.rejected.put(pseudonym, rejectedAt);
      }
      return Optional.empty();
    });
  }

  private Optional<Obstacle> obstacle(UserCoupon row, boolean eventsArePublished) {
    if (tables.slotReturns.containsKey(row.id())) {
      return Optional.of(Obstacle.SLOT_RELEASE);
    }
    if (InMemoryWebhookDeliveries.isNamed(tables, row)) {
      return Optional.of(Obstacle.EVENTS);
    }
    return (eventsArePublished || tables.isAnyWebhookEnabled())
            && tables.events.values().stream().anyMatch(event -> isOf(event, row))
        ? Optional.of(Obstacle.EVENTS)
        : Optional.empty();
  }

  private static boolean isOf(CouponEvent event, UserCoupon row) {
    return event instanceof CouponEvent.OfUserCoupon ofUser
        && ofUser.subject().userCouponId().equals(row.id());
  }

  private void erase(CouponRows rows, UserCoupon row, UserId pseudonym) {
    var user = row.userId();
    boolean live = !row.slotWentBack();
    rows.slotOwners.remove(CouponRows.owner(row, live));
    rows.byUser.remove(user);
    var erased = erased(row, pseudonym);
    rows.byUser.put(pseudonym, erased);
    rows.slotOwners.add(CouponRows.owner(erased, live));
    rows.pseudonyms.put(row.identity().code(), pseudonym);
    tables.audit.replaceAll(kept -> erased(kept, row, pseudonym));
  }

  private static AuditEntry.Kept erased(AuditEntry.Kept kept, UserCoupon row, UserId pseudonym) {
    var entry = kept.entry();
    return row.id().equals(entry.userCouponId())
            && entry.actor().equals(Actor.customer(row.userId()))
        ? new AuditEntry.Kept(
            kept.id(),
            new AuditEntry(
                entry.at(),
                Actor.customer(pseudonym),
                entry.action(),
                entry.couponId(),
                entry.userCouponId(),
                entry.detail()))
        : kept;
  }

  private static UserCoupon erased(UserCoupon row, UserId pseudonym) {
    var before = row.ownership();
    var ownership =
        new Ownership(
            before.identity(),
            pseudonym,
            before.slot(),
            before.generation(),
            before.issuedAt(),
            before.expiresAt(),
            before.termsRevision());
    int revision = row.revision() + 1;
    return switch (row) {
      case UserCoupon.Issued _ -> new UserCoupon.Issued(ownership, revision);
      case UserCoupon.Held held ->
          new UserCoupon.Held(ownership, revision, held.redemption(), held.until());
      case UserCoupon.Used used ->
          new UserCoupon.Used(ownership, revision, used.redemption(), used.usedAt());
      case UserCoupon.Expired _ -> new UserCoupon.Expired(ownership, revision);
      case UserCoupon.Returned returned ->
          new UserCoupon.Returned(
              ownership, revision, returned.returnedAt(), returned.slotWentBack());
      case UserCoupon.Revoked revoked ->
          new UserCoupon.Revoked(
              ownership, revision, revoked.reason(), revoked.revokedAt(), revoked.slotWentBack());
    };
  }

  private static Erasure counted(Erasure erasure) {
    return new Erasure(
        erasure.id(),
        erasure.userId(),
        erasure.requestedAt(),
        erasure.waitsFor(),
        erasure.userCoupons() + 1,
        null);
  }

  @Override
  public boolean end(ErasureId id, Instant at) {
    return database.transaction(() -> {
      var erasure = tables.erasures.get(id);
      if (erasure == null || erasure.hasEnded() || isNamed(requireNonNull(erasure.userId()))) {
        return false;
      }
      tables.erasures.put(
          id, new Erasure(id, null, erasure.requestedAt(), null, erasure.userCoupons(), at));
      tables.addToAudit(AuditEntry.ofErasure(id, erasure.userCoupons(), at));
      return true;
    });
  }

  private boolean isNamed(UserId user) {
    return unrecordedNow(user).isPresent()
        || rowsOfCoupons().stream().anyMatch(rows -> isIn(rows, user));
  }
}
