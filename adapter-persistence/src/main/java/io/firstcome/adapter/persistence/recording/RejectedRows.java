package io.firstcome.adapter.persistence.recording;

import static io.firstcome.adapter.persistence.generated.Tables.REJECTED_CLAIM;
import static io.firstcome.adapter.persistence.session.Columns.column;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import java.time.Instant;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;

/** Rows of claims that were rejected: no slot was left. */
public final class RejectedRows {

  private static final String NO_SLOT_LEFT = "NO_SLOT_LEFT";

  private RejectedRows() {}

  /** Adds the users who have no such row yet. */
  public static void add(
      DSLContext transaction, CouponId couponId, List<UserId> rejected, Instant now) {
    if (rejected.isEmpty()) {
      return;
    }
    var userId = field(name("incoming", "user_id"), SQLDataType.CLOB);
    var users = rejected.stream().sorted().toList();
    transaction
        .insertInto(
            REJECTED_CLAIM,
            REJECTED_CLAIM.COUPON_ID,
            REJECTED_CLAIM.USER_ID,
            REJECTED_CLAIM.REASON,
            REJECTED_CLAIM.REJECTED_AT)
        .select(
            select(val(couponId.value()), userId, val(NO_SLOT_LEFT), val(now))
                .from(
                    table(
                            "unnest({0})",
                            column(users, SQLDataType.CLOB, String[]::new, UserId::value))
                        .as("incoming", "user_id")))
        .onConflictDoNothing()
        .execute();
  }
}
