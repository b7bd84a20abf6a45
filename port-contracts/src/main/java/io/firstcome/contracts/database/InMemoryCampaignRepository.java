package io.firstcome.contracts.database;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.CouponChange;
import io.firstcome.domain.port.CampaignRepository;
import io.firstcome.domain.usercoupon.Actor;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
      joins.forEach(join -> change(join, actor, at));
      return Outcome.DEFINED;
    });
  }

  private void change(CouponChange.Changed change, Actor actor, Instant at) {
    var changed = change.coupon();
    tables.coupons.computeIfPresent(changed.id(), (id, row) -> row.changed(changed, at));
    tables.addToAudit(AuditEntry.of(change, actor, at));
  }

  @Override
  public boolean delete(
      Campaign campaign, List<CouponChange.Changed> leaves, Actor actor, Instant at) {
    return database.transaction(() -> {
      if (!campaign.equals(tables.campaigns.get(campaign.id()))
          || !leaves.stream().allMatch(this::isAsRead)
          || countCoupons(campaign) != leaves.size()) {
        return false;
      }
      tables.campaigns.remove(campaign.id());
      leaves.forEach(leave -> change(leave, actor, at));
      return true;
    });
  }

  private long countCoupons(Campaign campaign) {
    return tables.coupons.values().stream()
        .filter(row -> campaign.equals(row.coupon().campaign()))
        .count();
  }

  private boolean isAsRead(CouponChange.Changed change) {
    var row = tables.coupons.get(change.coupon().id());
    return row != null && row.coupon().revision() == change.before().revision();
  }

  @Override
  public Optional<Campaign> find(CampaignId campaignId) {
    return database.transaction(() -> Optional.ofNullable(tables.campaigns.get(campaignId)));
  }

  @Override
  public List<Campaign> page(@Nullable CampaignId after, int max) {
    return database.transaction(() ->
        tables.campaigns.values().stream()
            .sorted(Comparator.comparing(Campaign::id))
            .filter(campaign -> after == null || campaign.id().compareTo(after) > 0)
            .limit(max)
            .toList());
  }
}
