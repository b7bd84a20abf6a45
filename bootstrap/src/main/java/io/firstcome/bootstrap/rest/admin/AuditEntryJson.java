package io.firstcome.bootstrap.rest.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.usercoupon.Actor;
import org.jspecify.annotations.Nullable;

/** An entry of the audit trail, as JSON. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AuditEntryJson(
    long id,
    String at,
    ActorJson actor,
    String action,
    @Nullable String couponId,
    @Nullable String userCouponId,
    @Nullable String detail) {

  /** Who made the change. */
  public record ActorJson(String kind, String name) {

    static ActorJson of(Actor actor) {
      return new ActorJson(actor.kind().name(), actor.name());
    }
  }

  public static AuditEntryJson of(AuditEntry.Kept kept) {
    var entry = kept.entry();
    var couponId = entry.couponId();
    var userCouponId = entry.userCouponId();
    return new AuditEntryJson(
        kept.id().value(),
        entry.at().toString(),
        ActorJson.of(entry.actor()),
        entry.action().name(),
        couponId == null ? null : couponId.value(),
        userCouponId == null ? null : userCouponId.toString(),
        entry.detail());
  }
}
