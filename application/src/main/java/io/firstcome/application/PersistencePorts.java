package io.firstcome.application;

import io.firstcome.domain.port.AuditTrail;
import io.firstcome.domain.port.CampaignRepository;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.EventOutbox;
import io.firstcome.domain.port.InstanceReports;
import io.firstcome.domain.port.IssuanceCurves;
import io.firstcome.domain.port.LateClaimRepository;
import io.firstcome.domain.port.PartitionEpochs;
import io.firstcome.domain.port.Rehearsals;
import io.firstcome.domain.port.RoomRecords;
import io.firstcome.domain.port.SlotReturns;
import io.firstcome.domain.port.UserCouponRepository;
import io.firstcome.domain.port.UserErasures;
import io.firstcome.domain.port.WrongCodes;

/** The ports of the system of record, which every deployment has. */
public record PersistencePorts(
    CouponRepository coupons,
    CampaignRepository campaigns,
    RoomRecords rooms,
    UserCouponRepository userCoupons,
    LateClaimRepository lateClaims,
    PartitionEpochs epochs,
    SlotReturns slotReturns,
    EventOutbox outbox,
    AuditTrail audit,
    WrongCodes wrongCodes,
    UserErasures erasures,
    IssuanceCurves curves,
    InstanceReports instances,
    Rehearsals rehearsals) {}
