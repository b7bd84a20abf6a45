package io.firstcome.adapter.persistence.coupon;

import static io.firstcome.adapter.persistence.generated.Tables.CAMPAIGN;
import static io.firstcome.adapter.persistence.generated.Tables.COUPON;
import static org.jooq.impl.DSL.selectOne;

import io.firstcome.adapter.persistence.audit.AuditRows;
import io.firstcome.adapter.persistence.session.Database;
import io.firstcome.adapter.persistence.session.PersistenceLimits;
import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.CampaignRepository;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** {@link CampaignRepository} in PostgreSQL. */
public final class JooqCampaignRepository implements CampaignRepository {

  private final Database database;
  private final PersistenceLimits limits;

  public JooqCampaignRepository(Database database, PersistenceLimits limits) {
    this.database = database;
    this.limits = limits;
  }

  @Override
  public Outcome define(
      Campaign campaign, List<CouponChange.Changed> joins, Actor actor, Instant at) {
    try {
      return database.transaction(
          limits.shortLockWait(),
          dsl -> {
            if (!add(dsl, campaign, at)) {
              return Outcome.ID_TAKEN;
            }
            change(dsl, joins, actor, at);
            return Outcome.DEFINED;
          });
    } catch (OvertakenException e) {
      return Outcome.OVERTAKEN;
    }
  }

  @Override
  public boolean delete(
      Campaign campaign, List<CouponChange.Changed> leaves, Actor actor, Instant at) {
    try {
      return database.transaction(
          limits.shortLockWait(),
          dsl -> {
            change(dsl, leaves, actor, at);
            // If it was deleted and defined again since, it has coupons that were not read.
            var ofCampaign = COUPON.CAMPAIGN_ID.eq(campaign.id().value());
            int deleted =
                dsl.deleteFrom(CAMPAIGN)
                    .where(CAMPAIGN.CAMPAIGN_ID.eq(campaign.id().value()))
                    .andNotExists(selectOne().from(COUPON).where(ofCampaign))
                    .execute();
            if (deleted != 1) {
              throw new OvertakenException();
            }
            return true;
          });
    } catch (OvertakenException e) {
      return false;
    }
  }

  /** Rolls the transaction back. */
  private static final class OvertakenException extends RuntimeException {

    private static final long serialVersionUID = 1L;
  }

  private static boolean add(DSLContext dsl, Campaign campaign, Instant at) {
    return dsl.insertInto(CAMPAIGN)
            .set(CAMPAIGN.CAMPAIGN_ID, campaign.id().value())
            .set(CAMPAIGN.LIMIT_PER_USER, campaign.limitPerUser())
            .set(
                CAMPAIGN.COUPON_IDS,
                campaign.couponIds().stream().map(CouponId::value).toArray(String[]::new))
            .set(CAMPAIGN.DEFINED_AT, at)
            .onConflict(CAMPAIGN.CAMPAIGN_ID)
            .doNothing()
            .execute()
        == 1;
  }

  /** In the order of their ids, so that two concurrent changes wait and do not deadlock. */
  private static void change(
      DSLContext dsl, List<CouponChange.Changed> changes, Actor actor, Instant at) {
    changes.forEach(change -> change(dsl, change, at));
    AuditRows.add(dsl, changes.stream().map(change -> AuditEntry.of(change, actor, at)).toList());
  }

  private static void change(DSLContext dsl, CouponChange.Changed change, Instant at) {
    var row = CouponRows.toRow(change.coupon());
    int changed =
        dsl.update(COUPON)
            .set(COUPON.CAMPAIGN_ID, row.getCampaignId())
            .set(COUPON.PARTITION_ID, row.getPartitionId())
            .set(COUPON.REVISION, row.getRevision())
            .set(COUPON.CHANGED_AT, at)
            .where(JooqCouponRepository.isAsRead(change.before()))
            .execute();
    if (changed != 1) {
      throw new OvertakenException();
    }
  }

  @Override
  public Optional<Campaign> find(CampaignId campaignId) {
    return database.read(dsl ->
        dsl.selectFrom(CAMPAIGN)
            .where(CAMPAIGN.CAMPAIGN_ID.eq(campaignId.value()))
            .fetchOptional(CouponRows::campaign));
  }

  @Override
  public List<Campaign> page(@Nullable CampaignId after, int max) {
    return database.read(dsl ->
        dsl.selectFrom(CAMPAIGN)
            .where(CAMPAIGN.CAMPAIGN_ID.gt(after == null ? "" : after.value()))
            .orderBy(CAMPAIGN.CAMPAIGN_ID)
            .limit(max)
            .fetch(CouponRows::campaign));
  }
}
