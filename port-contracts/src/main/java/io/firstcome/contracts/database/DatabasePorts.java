package io.firstcome.contracts.database;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.SlotOwner;
import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.CampaignRepository;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.InstanceReports;
import io.firstcome.domain.port.IssuanceCurves;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.port.RoomRecords;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.port.UserCouponRetention;
import io.firstcome.domain.port.UserErasures;
import io.firstcome.domain.port.WebhookDeliveries;
import io.firstcome.domain.port.WebhookEndpoints;
import io.firstcome.domain.port.WrongCodes;
import java.util.List;

/** The ports of one database, over the same data. */
public record DatabasePorts(
    CouponRepository coupons,
    CampaignRepository campaigns,
    RoomRecords rooms,
    UserCouponRepository userCoupons,
    SlotReturns slotReturns,
    LateClaimRepository lateClaims,
    DeadLetters deadLetters,
    WrongCodes wrongCodes,
    AuditTrail audit,
    EventOutbox events,
    WebhookEndpoints webhooks,
    WebhookDeliveries deliveries,
    UserCouponRetention retention,
    UserErasures erasures,
    IssuanceCurves curves,
    InstanceReports instances,
    Rehearsals rehearsals,
    PartitionEpochs epochs) {

  /** Defines the coupon and brings its partition into the epoch. */
  public Coupon define(Coupon coupon, long epoch) {
    epochs.raise(coupon.partition(), new Epoch(epoch));
    coupons.addIfAbsent(coupon, CouponFixtures.OPERATOR, CouponFixtures.ACCEPTED_AT);
    return coupon;
  }

  /** The users who hold slots of the coupon, by slot; at most a thousand. */
  public List<SlotClaim> holders(CouponId couponId) {
    return userCoupons.slotOwners(couponId, null, 1_000).stream()
        .filter(SlotOwner::live)
        .map(owner -> new SlotClaim(owner.userId(), owner.slot()))
        .toList();
  }
}
