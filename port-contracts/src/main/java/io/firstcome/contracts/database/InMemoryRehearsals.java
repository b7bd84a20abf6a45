package io.firstcome.contracts.database;

import io.firstcome.contracts.database.InMemoryTables.CouponRow;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.StoredCoupon;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.Rehearsal.State;
import io.firstcome.domain.rehearsal.RehearsalId;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.rehearsal.RehearsalResult;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link Rehearsals} in memory. */
final class InMemoryRehearsals implements Rehearsals {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryRehearsals(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  /** A rehearsal and when it last went on. */
  record Stored(Rehearsal rehearsal, Instant wentOnAt) {

    Stored in(State state, int answered, @Nullable RehearsalResult result, Instant at) {
      return new Stored(
          new Rehearsal(
              rehearsal.id(),
              rehearsal.plan(),
              rehearsal.cloneId(),
              rehearsal.actor(),
              rehearsal.instance(),
              rehearsal.startedAt(),
              state,
              answered,
              result),
          at);
    }

    boolean isRunning() {
      return rehearsal.state() == State.RUNNING;
    }
  }

  @Override
  public Optional<Rehearsal> start(
      RehearsalPlan plan, CouponId clone, String instance, Actor actor, Instant at) {
    return database.transaction(() -> {
      if (tables.rehearsals.values().stream()
          .anyMatch(stored -> stored.rehearsal().state() != State.REMOVED)) {
        return Optional.empty();
      }
      var id = new RehearsalId(tables.rehearsals.size() + 1L);
      var rehearsal = new Rehearsal(id, plan, clone, actor, instance, at, State.RUNNING, 0, null);
      tables.rehearsals.put(id.value(), new Stored(rehearsal, database.now()));
      tables.addToAudit(AuditEntry.ofRehearsal(plan, clone, actor, at));
      return Optional.of(rehearsal);
    });
  }

  @Override
  public boolean goesOn(RehearsalId id, int answered) {
    return database.transaction(() -> {
      var stored = tables.rehearsals.get(id.value());
      if (stored == null || !stored.isRunning()) {
        return false;
      }
      tables.rehearsals.put(id.value(), stored.in(State.RUNNING, answered, null, database.now()));
      return true;
    });
  }

  @Override
  public void end(RehearsalId id, RehearsalResult result) {
    end(id, result, result.crowd().answers());
  }

  @Override
  public void stop(RehearsalId id, Actor actor, Instant at) {
    database.transaction(() -> {
      var stored = tables.rehearsals.get(id.value());
      if (stored != null && stored.isRunning()) {
        end(id, null, 0);
        tables.addToAudit(AuditEntry.ofStoppedRehearsal(stored.rehearsal(), actor, at));
      }
      return stored;
    });
  }

  private void end(RehearsalId id, @Nullable RehearsalResult result, int answered) {
    database.transaction(() -> {
      var stored = tables.rehearsals.get(id.value());
      if (stored != null && stored.isRunning()) {
        tables.rehearsals.put(
            id.value(),
            stored.in(
                State.REMOVING,
                Math.max(answered, stored.rehearsal().answered()),
                result,
                stored.wentOnAt()));
      }
      return stored;
    });
  }

  @Override
  public void stopSilent(Duration silence) {
    database.transaction(() -> {
      var since = database.now().minus(silence);
      tables.rehearsals.values().stream()
          .filter(stored -> stored.isRunning() && stored.wentOnAt().isBefore(since))
          .toList()
          .forEach(stored -> end(stored.rehearsal().id(), null, 0));
      return since;
    });
  }

  @Override
  public Optional<Rehearsal> find(RehearsalId id) {
    return database.transaction(
        () -> Optional.ofNullable(tables.rehearsals.get(id.value())).map(Stored::rehearsal));
  }

  @Override
  public List<Rehearsal> latest(int max) {
    return database.transaction(() ->
        tables.rehearsals.descendingMap().values().stream()
            .map(Stored::rehearsal)
            .limit(max)
            .toList());
  }

  @Override
  public Optional<Rehearsal> latestResult(CouponId couponId) {
    return latest(Integer.MAX_VALUE).stream()
        .filter(rehearsal -> rehearsal.plan().couponId().equals(couponId))
        .filter(rehearsal -> rehearsal.result() != null)
        .findFirst();
  }

  @Override
  public List<CouponId> lateClones() {
    return database.transaction(() ->
        tables.rehearsals.values().stream()
            .map(Stored::rehearsal)
            .filter(rehearsal -> rehearsal.state() == State.REMOVED)
            .map(Rehearsal::cloneId)
            .filter(clone -> {
              var row = tables.coupons.get(clone);
              return row != null && row.coupon().status() != CouponStatus.ARCHIVED;
            })
            .toList());
  }

  @Override
  public Removal removeRows(RehearsalId id, int max, boolean arePublished) {
    return database.transaction(() -> {
      var stored = tables.rehearsals.get(id.value());
      if (stored == null || stored.rehearsal().state() != State.REMOVING) {
        return Removal.WAIT;
      }
      var clone = tables.coupons.get(stored.rehearsal().cloneId());
      boolean isSilent = stored.wentOnAt().isBefore(database.now().minus(SILENCE));
      var result =
          clone != null
              ? removeRows(clone, max, arePublished)
              : isSilent ? Removal.DONE : Removal.WAIT;
      if (result == Removal.DONE) {
        tables.rehearsals.put(
            id.value(),
            stored.in(
                State.REMOVED,
                stored.rehearsal().answered(),
                stored.rehearsal().result(),
                stored.wentOnAt()));
      }
      return result;
    });
  }

  private Removal removeRows(CouponRow clone, int max, boolean arePublished) {
    var couponId = clone.coupon().id();
    var rows = tables.rows(couponId);
    var removal = clone.stored().removal();
    if (clone.coupon().status() != CouponStatus.ARCHIVED
        || clone.isUnapplied()
        || (removal == null && ((arePublished && hasEvents(couponId)) || !rows.late.isEmpty()))) {
      return Removal.WAIT;
    }
    tables.events.values().removeIf(event -> event.couponId().equals(couponId));
    var removed = rows.byUser.values().stream().limit(max).toList();
    removed.forEach(row -> {
      rows.remove(row);
      tables.codes.remove(row.identity().code());
    });
    var begunAt = removal == null ? database.now() : removal.begunAt();
    int all = removed.size() + (removal == null ? 0 : removal.userCoupons());
    boolean ended = removed.size() < max;
    tables.coupons.put(
        couponId,
        clone.removing(new StoredCoupon.Removal(begunAt, ended ? database.now() : null, all)));
    if (!ended) {
      return Removal.MORE;
    }
    tables.tallies.removeIf(tally -> tally.couponId().equals(couponId));
    rows.rejected.clear();
    tables
        .deadLetters
        .values()
        .removeIf(letter ->
            letter.content() instanceof Content.Claims(var entry)
                && entry.couponId().equals(couponId));
    tables.addToAudit(AuditEntry.ofRemoval(couponId, all, database.now()));
    return Removal.DONE;
  }

  private boolean hasEvents(CouponId couponId) {
    return tables.events.values().stream().anyMatch(event -> event.couponId().equals(couponId));
  }
}
