package io.firstcome.domain.audit;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.erasure.ErasureId;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.rehearsal.Rehearsal;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.UserCoupon.Revoked;
import io.firstcome.domain.usercoupon.UserCouponChange;
import io.firstcome.domain.usercoupon.UserCouponId;
import io.firstcome.domain.webhook.DeliveryId;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One audited action: a step of a user coupon, or an operator's call.
 *
 * @param couponId the coupon of the action, or that of its user coupon; or null for none
 * @param userCouponId the user coupon of the action, or null for none
 * @param detail of the action, such as the order or the reason; or null
 */
public record AuditEntry(
    Instant at,
    Actor actor,
    Action action,
    @Nullable CouponId couponId,
    @Nullable UserCouponId userCouponId,
    @Nullable String detail) {

  public AuditEntry {
    boolean namesItsSubject =
        switch (action.subject) {
          case COUPON -> couponId != null && userCouponId == null;
          case USER_COUPON -> userCouponId != null && userCouponId.couponId().equals(couponId);
          case STOCK, DEAD_LETTER, USER, WEBHOOK -> userCouponId == null;
        };
    if (!namesItsSubject) {
      throw new IllegalArgumentException(
          "%s must name its subject: %s, %s".formatted(action, couponId, userCouponId));
    }
    // Stored times are in milliseconds.
    at = at.truncatedTo(ChronoUnit.MILLIS);
  }

  /** Whether the action is about the whole stock. */
  public boolean isOfStock() {
    return action.subject == Subject.STOCK;
  }

  /** What was done. */
  public enum Action {
    DEFINE(Subject.COUPON),
    EDIT(Subject.COUPON),
    PUBLISH(Subject.COUPON),
    DELETE(Subject.COUPON),
    PAUSE(Subject.COUPON),
    RESUME(Subject.COUPON),
    CLOSE(Subject.COUPON),
    ARCHIVE(Subject.COUPON),
    RAISE(Subject.COUPON),
    RAISE_REVISION(Subject.COUPON),
    JOIN_CAMPAIGN(Subject.COUPON),
    LEAVE_CAMPAIGN(Subject.COUPON),
    REMOVE_USER_COUPONS(Subject.COUPON),
    REHEARSE(Subject.COUPON),
    STOP_REHEARSAL(Subject.COUPON),
    HOLD(Subject.USER_COUPON),
    CONFIRM(Subject.USER_COUPON),
    RELEASE(Subject.USER_COUPON),
    USE(Subject.USER_COUPON),
    UNDO(Subject.USER_COUPON),
    EXPIRE(Subject.USER_COUPON),
    GIVE_BACK(Subject.USER_COUPON),
    REVOKE(Subject.USER_COUPON),
    RECOVER_STOCK(Subject.STOCK),
    STATE_SET_BACK(Subject.STOCK),
    REPLAY_DEAD_LETTER(Subject.DEAD_LETTER),
    DISCARD_DEAD_LETTER(Subject.DEAD_LETTER),
    REQUEST_ERASURE(Subject.USER),
    ERASE_USER(Subject.USER),
    ADD_WEBHOOK(Subject.WEBHOOK),
    EDIT_WEBHOOK(Subject.WEBHOOK),
    DISABLE_WEBHOOK(Subject.WEBHOOK),
    ROTATE_WEBHOOK_SECRET(Subject.WEBHOOK),
    DELETE_WEBHOOK(Subject.WEBHOOK),
    REPLAY_DELIVERY(Subject.WEBHOOK);

    private final Subject subject;

    Action(Subject subject) {
      this.subject = subject;
    }
  }

  private enum Subject {
    COUPON,
    USER_COUPON,
    STOCK,
    WEBHOOK,
    /** Without the user id, as entries are kept. */
    USER,
    /** With a coupon, or without one if the letter cannot be read. */
    DEAD_LETTER
  }

  /** A stored entry. */
  public record Kept(AuditEntryId id, AuditEntry entry) {}

  public static AuditEntry ofDefinition(Coupon coupon, Actor actor, Instant at) {
    return new AuditEntry(at, actor, Action.DEFINE, coupon.id(), null, null);
  }

  /** An operator started a rehearsal of the coupon. */
  public static AuditEntry ofRehearsal(
      RehearsalPlan plan, CouponId clone, Actor actor, Instant at) {
    return new AuditEntry(
        at,
        actor,
        Action.REHEARSE,
        plan.couponId(),
        null,
        "%s, %d users, %d slots".formatted(clone, plan.users(), plan.quantity()));
  }

  /** A rehearsal of the coupon was stopped before its end. */
  public static AuditEntry ofStoppedRehearsal(Rehearsal rehearsal, Actor actor, Instant at) {
    return new AuditEntry(
        at,
        actor,
        Action.STOP_REHEARSAL,
        rehearsal.plan().couponId(),
        null,
        rehearsal.cloneId().value());
  }

  public static AuditEntry of(CouponChange.Changed change, Actor actor, Instant at) {
    var before = change.before().definition();
    var after = change.coupon().definition();
    var detail =
        switch (change.action()) {
          case RAISE -> "%d -> %d".formatted(before.totalQuantity(), after.totalQuantity());
          case EDIT -> String.join(", ", after.differencesFrom(before));
          case JOIN -> campaignOf(change.coupon());
          case LEAVE -> campaignOf(change.before());
          case PUBLISH, PAUSE, RESUME, CLOSE, ARCHIVE -> null;
        };
    return new AuditEntry(at, actor, action(change.action()), after.couponId(), null, detail);
  }

  private static String campaignOf(Coupon coupon) {
    return Objects.requireNonNull(coupon.campaign()).id().value();
  }

  /** An operator deleted a draft. */
  public static AuditEntry ofDeletion(Coupon draft, Actor actor, Instant at) {
    return new AuditEntry(at, actor, Action.DELETE, draft.id(), null, null);
  }

  /**
   * The rows of the coupon's user coupons were exported and removed, as their retention is over.
   *
   * @param userCoupons how many
   */
  public static AuditEntry ofRemoval(CouponId couponId, int userCoupons, Instant at) {
    return new AuditEntry(
        at,
        Actor.TIME,
        Action.REMOVE_USER_COUPONS,
        couponId,
        null,
        "%d user coupons".formatted(userCoupons));
  }

  /** The system found that the stock has revisions of the coupon which the database has lost. */
  public static AuditEntry ofRevision(Coupon before, int revision, Instant at) {
    return new AuditEntry(
        at,
        Actor.RECOVERY,
        Action.RAISE_REVISION,
        before.id(),
        null,
        "%d -> %d".formatted(before.revision(), revision));
  }

  public static AuditEntry of(UserCouponChange change) {
    var id = change.after().id();
    return new AuditEntry(
        change.at(), change.actor(), action(change.action()), id.couponId(), id, detail(change));
  }

  private static @Nullable String detail(UserCouponChange change) {
    return change.after() instanceof Revoked revoked
        ? revoked.reason()
        : switch (change.action()) {
          case HOLD, CONFIRM, RELEASE, USE -> order(change);
          case UNDO ->
              change.reason() == null ? order(change) : order(change) + ": " + change.reason();
          case EXPIRE, GIVE_BACK, REVOKE -> null;
        };
  }

  private static @Nullable String order(UserCouponChange change) {
    return change.redemption().map(Redemption::orderId).map(OrderId::value).orElse(null);
  }

  /**
   * An operator requested that all stock is rebuilt.
   *
   * @param stated who else has stated that the database was restored from an older backup, or null
   *     if it was not
   */
  public static AuditEntry ofRecovery(@Nullable Actor stated, Actor actor, Instant at) {
    return new AuditEntry(
        at,
        actor,
        Action.RECOVER_STOCK,
        null,
        null,
        stated == null ? null : "the database was set back, as also stated by " + stated.name());
  }

  /** An operator stated that the database was restored from an older backup. */
  public static AuditEntry ofSetBack(Actor actor, Instant at) {
    return new AuditEntry(at, actor, Action.STATE_SET_BACK, null, null, null);
  }

  /** An operator requested that a user is erased. */
  public static AuditEntry ofErasureRequest(ErasureId id, Actor actor, Instant at) {
    return new AuditEntry(at, actor, Action.REQUEST_ERASURE, null, null, "erasure " + id);
  }

  /**
   * A user was erased.
   *
   * @param userCoupons how many the user has or had
   */
  public static AuditEntry ofErasure(ErasureId id, int userCoupons, Instant at) {
    return new AuditEntry(
        at,
        Actor.ERASURE,
        Action.ERASE_USER,
        null,
        null,
        "erasure %s, %d user coupons".formatted(id, userCoupons));
  }

  /** An operator added a webhook. */
  public static AuditEntry ofWebhook(WebhookEndpoint added, Actor actor, Instant at) {
    return of(Action.ADD_WEBHOOK, added, actor, at);
  }

  /** A webhook was changed. */
  public static AuditEntry of(WebhookEndpoint before, WebhookEndpoint after, Actor actor) {
    var action =
        !before.secret().equals(after.secret())
            ? Action.ROTATE_WEBHOOK_SECRET
            : after.isEnabled() || !before.isEnabled()
                ? Action.EDIT_WEBHOOK
                : Action.DISABLE_WEBHOOK;
    return of(action, after, actor, after.changedAt());
  }

  /** An operator deleted a webhook. */
  public static AuditEntry ofDeletion(WebhookEndpoint deleted, Actor actor, Instant at) {
    return of(Action.DELETE_WEBHOOK, deleted, actor, at);
  }

  private static AuditEntry of(Action action, WebhookEndpoint webhook, Actor actor, Instant at) {
    // Without the path and the query, which can have a token of the receiver.
    var detail = "webhook %s at %s".formatted(webhook.id(), webhook.url().getHost());
    return new AuditEntry(at, actor, action, null, null, detail);
  }

  /** An operator requested another attempt of a delivery that was given up. */
  public static AuditEntry ofReplay(
      WebhookId webhookId, DeliveryId deliveryId, Actor actor, Instant at) {
    var detail = "webhook %s, delivery %s".formatted(webhookId, deliveryId);
    return new AuditEntry(at, actor, Action.REPLAY_DELIVERY, null, null, detail);
  }

  /** An operator requested the retry of a dead letter, with any result. */
  public static AuditEntry ofReplay(DeadLetter letter, Actor actor, Instant at) {
    return of(Action.REPLAY_DEAD_LETTER, letter, actor, at);
  }

  /** An operator discarded a dead letter that cannot be recorded. */
  public static AuditEntry ofDiscard(DeadLetter letter, Actor actor, Instant at) {
    return of(Action.DISCARD_DEAD_LETTER, letter, actor, at);
  }

  private static AuditEntry of(Action action, DeadLetter letter, Actor actor, Instant at) {
    var couponId =
        switch (letter.content()) {
          case Content.Claims(HandoffEntry entry) -> entry.couponId();
          case Content.Unreadable _ -> null;
        };
    return new AuditEntry(at, actor, action, couponId, null, "dead letter " + letter.id());
  }

  private static Action action(CouponChange.Action action) {
    return switch (action) {
      case EDIT -> Action.EDIT;
      case PUBLISH -> Action.PUBLISH;
      case PAUSE -> Action.PAUSE;
      case RESUME -> Action.RESUME;
      case CLOSE -> Action.CLOSE;
      case ARCHIVE -> Action.ARCHIVE;
      case RAISE -> Action.RAISE;
      case JOIN -> Action.JOIN_CAMPAIGN;
      case LEAVE -> Action.LEAVE_CAMPAIGN;
    };
  }

  private static Action action(UserCouponChange.Action action) {
    return switch (action) {
      case HOLD -> Action.HOLD;
      case CONFIRM -> Action.CONFIRM;
      case RELEASE -> Action.RELEASE;
      case USE -> Action.USE;
      case UNDO -> Action.UNDO;
      case EXPIRE -> Action.EXPIRE;
      case GIVE_BACK -> Action.GIVE_BACK;
      case REVOKE -> Action.REVOKE;
    };
  }
}
