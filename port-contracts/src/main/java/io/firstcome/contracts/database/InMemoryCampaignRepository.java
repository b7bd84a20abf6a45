package io.firstcome.contracts.database;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.port.CampaignRepository;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@link CampaignRepository} in memory. */
final class InMemoryCampaignRepository implements CampaignRepository {

  private final InMemoryDatabase database;
  private final InMemoryTables tables;

  InMemoryCampaignRepository(InMemoryDatabase database, InMemoryTables tables) {
    this.database = database;
    this.tables = tables;
  }

  @Override
  public Outcome define(
      Campaign campaign, List<CouponChange.Changed> joins, Actor actor, Instant at) {
    return database.transaction(() -> {
      if (tables.campaigns.containsKey(campaign.id())) {
        return Outcome.ID_TAKEN;
      }
      if (!joins.stream().allMatch(this::isAsRead)) {
        return Outcome.OVERTAKEN;
      }
      tables.campaigns.put(campaign.id(), campaign);
      for (var join : joins) {
        var joined = join.coupon();
        tables.coupons.computeIfPresent(joined.id(), (id, row) -> row.changed(joined, at));
        tables.addToAudit(AuditEntry.of(join, actor, at));
      }
      return Outcome.DEFINED;
    });
  }

  private boolean isAsRead(CouponChange.Changed join) {
    var row = tables.coupons.get(join.coupon().id());
    return row != null && row.coupon().revision() == join.before().revision();
  }

  @Override
  public Optional<Campaign> find(CampaignId campaignId) {
    return database.transaction(() -> Optional.ofNullable(tables.campaigns.get(campaignId)));
  }
}
