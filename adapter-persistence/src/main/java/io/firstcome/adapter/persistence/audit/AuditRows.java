package io.firstcome.adapter.persistence.audit;

import static io.firstcome.adapter.persistence.generated.Tables.AUDIT_ENTRY;
import static io.firstcome.adapter.persistence.session.Columns.column;
import static io.firstcome.adapter.persistence.session.Columns.nullableColumn;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import io.firstcome.adapter.persistence.generated.tables.records.AuditEntryRecord;
import io.firstcome.adapter.persistence.session.Columns;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntryId;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Instant;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Maps audit entries to rows and back. */
public final class AuditRows {

  private static final String ALIAS = "incoming";

  private static final Field<Instant> AT = field(name(ALIAS, "at"), SQLDataType.INSTANT);
  private static final Field<String> ACTOR_KIND =
      field(name(ALIAS, "actor_kind"), SQLDataType.CLOB);
  private static final Field<String> ACTOR_NAME =
      field(name(ALIAS, "actor_name"), SQLDataType.CLOB);
  private static final Field<String> ACTION = field(name(ALIAS, "action"), SQLDataType.CLOB);
  private static final Field<String> COUPON_ID = field(name(ALIAS, "coupon_id"), SQLDataType.CLOB);
  private static final Field<String> USER_COUPON_ID =
      field(name(ALIAS, "user_coupon_id"), SQLDataType.CLOB);
  private static final Field<String> DETAIL = field(name(ALIAS, "detail"), SQLDataType.CLOB);
  private static final Field<Long> PLACE = field(name(ALIAS, "place"), SQLDataType.BIGINT);

  private AuditRows() {}

  /** Adds the entries in their order, and returns their number. */
  public static int add(DSLContext dsl, List<AuditEntry> entries) {
    return dsl.insertInto(
            AUDIT_ENTRY,
            AUDIT_ENTRY.AT,
            AUDIT_ENTRY.ACTOR_KIND,
            AUDIT_ENTRY.ACTOR_NAME,
            AUDIT_ENTRY.ACTION,
            AUDIT_ENTRY.COUPON_ID,
            AUDIT_ENTRY.USER_COUPON_ID,
            AUDIT_ENTRY.DETAIL)
        .select(
            select(AT, ACTOR_KIND, ACTOR_NAME, ACTION, COUPON_ID, USER_COUPON_ID, DETAIL)
                .from(incoming(entries))
                .orderBy(PLACE))
        .execute();
  }

  /** Whether a draft of this id was deleted. */
  public static boolean hasDeletionOf(DSLContext dsl, CouponId couponId) {
    return dsl.fetchExists(
        AUDIT_ENTRY,
        AUDIT_ENTRY
            .COUPON_ID
            .eq(couponId.value())
            .and(AUDIT_ENTRY.ACTION.eq(inline(AuditEntry.Action.DELETE.name()))));
  }

  /** The entries of these user coupons, oldest first. */
  public static List<AuditEntry.Kept> ofUserCoupons(
      DSLContext dsl, List<UserCouponId> userCouponIds) {
    return dsl.selectFrom(AUDIT_ENTRY)
        .where(
            Columns.isOneOf(
                AUDIT_ENTRY.USER_COUPON_ID, userCouponIds.stream().map(UserCouponId::toString)))
        .orderBy(AUDIT_ENTRY.AUDIT_ENTRY_ID)
        .fetch(AuditRows::fromRow);
  }

  /** Deletes the entries of these user coupons, if the removal of their coupon's rows has begun. */
  public static void remove(DSLContext dsl, List<UserCouponId> userCouponIds) {
    dsl.execute(
        "SELECT remove_audit_entries({0})",
        column(userCouponIds, SQLDataType.CLOB, String[]::new, UserCouponId::toString));
  }

  /** Replaces a user who is erased in the entries of this user coupon. */
  public static void erase(DSLContext dsl, UserCouponId id, UserId user, UserId pseudonym) {
    dsl.execute(
        "SELECT erase_audit_actor({0}, {1}, {2})",
        val(id.toString()), val(user.value()), val(pseudonym.value()));
  }

  static AuditEntry.Kept fromRow(AuditEntryRecord row) {
    var couponId = row.getCouponId();
    var userCouponId = row.getUserCouponId();
    return new AuditEntry.Kept(
        new AuditEntryId(row.getAuditEntryId()),
        new AuditEntry(
            row.getAt(),
            new Actor(Actor.Kind.valueOf(row.getActorKind()), row.getActorName()),
            AuditEntry.Action.valueOf(row.getAction()),
            couponId == null ? null : new CouponId(couponId),
            userCouponId == null ? null : UserCouponId.parse(userCouponId),
            row.getDetail()));
  }

  private static Table<Record> incoming(List<AuditEntry> entries) {
    return table(
            "unnest({0}, {1}, {2}, {3}, {4}, {5}, {6}) WITH ORDINALITY",
            column(entries, SQLDataType.INSTANT, Instant[]::new, AuditEntry::at),
            column(entries, SQLDataType.CLOB, String[]::new, e -> e.actor().kind().name()),
            column(entries, SQLDataType.CLOB, String[]::new, e -> e.actor().name()),
            column(entries, SQLDataType.CLOB, String[]::new, e -> e.action().name()),
            nullableColumn(entries, SQLDataType.CLOB, String[]::new, e -> text(e.couponId())),
            nullableColumn(entries, SQLDataType.CLOB, String[]::new, e -> text(e.userCouponId())),
            nullableColumn(entries, SQLDataType.CLOB, String[]::new, AuditEntry::detail))
        .as(
            ALIAS,
            AT.getName(),
            ACTOR_KIND.getName(),
            ACTOR_NAME.getName(),
            ACTION.getName(),
            COUPON_ID.getName(),
            USER_COUPON_ID.getName(),
            DETAIL.getName(),
            PLACE.getName());
  }

  private static @Nullable String text(@Nullable Object id) {
    return id == null ? null : id.toString();
  }
}
