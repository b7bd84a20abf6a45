package io.firstcome.contracts.stock.history;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.stock.history.PartitionView.CouponView;
import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CampaignId;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Generates the steps of one history, from a seed and from the visible state before each step.
 *
 * <p>It keeps the preconditions of the ports: a recovery begins in an epoch that was never used, or
 * is fenced.
 */
final class HistoryMaker {

  private static final int MIN_LENGTH = 40;
  private static final int MAX_LENGTH = 100;
  private static final Duration IN_TIME = Duration.ofSeconds(30);
  private static final Duration TOO_LATE = Duration.ofSeconds(-1);
  private static final Duration ANY_AGE = Duration.ZERO;
  private static final Duration OLDER_THAN_ANY_ENTRY = Duration.ofHours(1);
  private static final int MORE_THAN_THERE_CAN_BE = 100;
  private static final int MAX_GENERATION = 3;

  private final Chance chance;
  private final List<Partition> partitions;
  private final Map<CouponId, Partition> coupons = new LinkedHashMap<>();
  private final Map<Partition, Epoch> lastEpoch = new LinkedHashMap<>();
  private final Map<Partition, Integer> entriesSeen = new LinkedHashMap<>();
  private final Deque<Step> plan = new ArrayDeque<>();

  /** Of the coupons in the first partition, if there are enough of them. */
  private final @Nullable Campaign campaign;

  HistoryMaker(long seed, List<Partition> partitions) {
    chance = new Chance(seed);
    this.partitions = partitions;
    int count = chance.between(1, 3);
    for (int i = 1; i <= count; i++) {
      coupons.put(new CouponId("COUPON" + i), chance.oneOf(partitions.subList(0, 2)));
    }
    var together = couponsOf(partitions.getFirst());
    campaign =
        together.size() < Campaign.MIN_COUPONS
            ? null
            : new Campaign(
                new CampaignId("CAMPAIGN"), chance.between(1, together.size() - 1), together);
    for (var partition : partitions) {
      lastEpoch.put(partition, Epoch.NONE);
      if (chance.of(0.5)) {
        planRecovery(partition);
      } else {
        planOpening(partition);
      }
    }
  }

  /** How many steps there are before the {@link #opening}. */
  int length() {
    return chance.between(MIN_LENGTH, MAX_LENGTH);
  }

  List<CouponId> couponsOf(Partition partition) {
    return coupons.keySet().stream()
        .filter(couponId -> partition.equals(coupons.get(couponId)))
        .toList();
  }

  Step next(Map<Partition, PartitionView> views) {
    views.values().forEach(this::countEntries);
    var couponId = chance.oneOf(List.copyOf(coupons.keySet()));
    var view = Objects.requireNonNull(views.get(coupons.get(couponId)));
    if (plan.isEmpty() && !view.isOpen() && chance.of(0.3)) {
      planRecovery(partitionOf(couponId));
    }
    if (!plan.isEmpty() && chance.of(0.7)) {
      return plan.removeFirst();
    }
    return unplanned(couponId, view);
  }

  private @Nullable Campaign campaignOf(CouponId couponId) {
    return campaign != null && campaign.couponIds().contains(couponId) ? campaign : null;
  }

  private Partition partitionOf(CouponId couponId) {
    return Objects.requireNonNull(coupons.get(couponId));
  }

  private void countEntries(PartitionView view) {
    view.log()
        .entries()
        .forEach(entry -> entriesSeen.merge(entry.partition(), entry.number(), Math::max));
  }

  private Step unplanned(CouponId couponId, PartitionView view) {
    var address = new StockAddress(couponId, partitionOf(couponId), chance.nearly(view));
    var coupon = view.coupon(couponId);
    if (view.isOpen() && !coupon.takesCalls() && chance.of(0.6)) {
      return chance.of(0.1)
          ? new Step.Remove(address)
          : new Step.Create(address, campaignOf(address.couponId()), chance.terms());
    }
    if (hasNoFreeSlot(coupon) && chance.of(0.15)) {
      return lease(address);
    }
    int dice = chance.below(100);
    if (dice < 3) {
      return lease(address);
    } else if (dice < 45) {
      return new Step.Claims(
          address,
          campaignOf(couponId),
          claimants(coupon),
          chance.of(0.9),
          chance.of(0.04) ? TOO_LATE : IN_TIME);
    } else if (dice < 49) {
      return erase(address, coupon);
    } else if (dice < 58) {
      return release(address, coupon);
    } else if (dice < 64) {
      return new Step.Adopt(address, chance.lateClaims(address, freeSlots(coupon)));
    } else if (dice < 71) {
      return new Step.Apply(address, chance.terms());
    } else if (dice < 74) {
      return new Step.Find(address, chance.users(4));
    } else if (dice < 77) {
      return createOrRemove(address);
    } else if (dice < 90) {
      return ofLog(address.partition(), view);
    }
    return disturbance(address, view, dice);
  }

  private Step createOrRemove(StockAddress address) {
    if (chance.of(0.2)) {
      return new Step.Clear(address);
    }
    return chance.of(0.4)
        ? new Step.Remove(address)
        : new Step.Create(address, campaignOf(address.couponId()), chance.terms());
  }

  private Step disturbance(StockAddress address, PartitionView view, int dice) {
    if (dice < 95) {
      return chance.oneOf(rebuilding(address));
    } else if (dice < 96) {
      return new Step.Open(address.partition(), address.epoch());
    } else if (dice < 98) {
      return new Step.Begin(
          address.partition(), new Epoch(chance.below((int) view.fence().epoch().number() + 1)));
    } else if (chance.of(0.3)) {
      plan.clear();
      return new Step.Wipe();
    } else if (chance.of(0.5)) {
      return new Step.Restart();
    }
    return new Step.Begin(address.partition(), newEpoch(address.partition()));
  }

  private static boolean hasNoFreeSlot(CouponView coupon) {
    return coupon.level() instanceof PortReply.Given<StockLevel>(StockLevel level)
        && level.free() == 0;
  }

  private Step lease(StockAddress address) {
    return chance.of(0.5)
        ? new Step.Lease(address, chance.users(4))
        : new Step.EndLease(address, chance.of(0.5) ? 0 : 1);
  }

  /**
   * An erasure of a user of another coupon of the campaign, or of this one: with a mark, of one who
   * was erased, or of any user.
   */
  private Step erase(StockAddress address, CouponView coupon) {
    if (chance.of(0.3)) {
      return new Step.ExpectPseudonyms(address);
    }
    var users =
        chance.of(0.5)
            ? erased(coupon)
            : Chance.everyUser().filter(coupon.marks()::containsKey).toList();
    var user = users.isEmpty() || chance.of(0.1) ? chance.user() : chance.oneOf(users);
    return new Step.Erase(address, user);
  }

  private static List<UserId> erased(CouponView coupon) {
    return Chance.everyUser()
        .filter(user -> coupon.marks().containsKey(CouponFixtures.pseudonymOf(user)))
        .toList();
  }

  /** Any users, sometimes with one who was erased. */
  private List<UserId> claimants(CouponView coupon) {
    var users = new ArrayList<>(chance.users(3));
    var erased = erased(coupon);
    if (!erased.isEmpty() && chance.of(0.3)) {
      users.add(chance.oneOf(erased));
    }
    return users;
  }

  /** A release, mostly of a user who holds a slot, otherwise of any slot and user. */
  private Step release(StockAddress address, CouponView coupon) {
    var holders = holders(coupon);
    int generation = chance.between(1, MAX_GENERATION);
    if (holders.isEmpty() || chance.of(0.3)) {
      return new Step.Release(address, chance.user(), chance.slot(), generation);
    }
    var holder = chance.oneOf(holders);
    var slot = chance.of(0.1) ? chance.slot() : holder.slot();
    return new Step.Release(address, holder.userId(), slot, generation);
  }

  /** Slots that can be allocated now: the returned ones, and the next one. */
  private static List<Slot> freeSlots(CouponView coupon) {
    var slots = new ArrayList<>(coupon.freeAgain());
    if (coupon.level() instanceof PortReply.Given<StockLevel>(StockLevel level)) {
      slots.add(new Slot(level.next()));
    }
    return slots;
  }

  private static List<SlotClaim> holders(CouponView coupon) {
    var holders = new ArrayList<SlotClaim>();
    coupon
        .marks()
        .forEach((user, mark) -> {
          if (mark instanceof LedgerMark.Holds(Slot slot)) {
            holders.add(new SlotClaim(user, slot));
          }
        });
    return holders;
  }

  private Step ofLog(Partition partition, PartitionView view) {
    int dice = chance.below(10);
    if (dice < 4) {
      return new Step.ReadNew(chance.between(1, 3));
    } else if (dice < 6) {
      return new Step.ReadStale(chance.of(0.8) ? ANY_AGE : OLDER_THAN_ANY_ENTRY);
    }
    var waiting = view.log().entries().stream().map(PartitionView.Entry::number).toList();
    int seen = entriesSeen.getOrDefault(partition, 0);
    if (seen == 0) {
      return new Step.ReadNew(MORE_THAN_THERE_CAN_BE);
    }
    var numbers =
        IntStream.range(0, chance.between(1, 2))
            .mapToObj(i ->
                waiting.isEmpty() || chance.of(0.1)
                    ? chance.between(1, seen)
                    : chance.oneOf(waiting))
            .toList();
    return new Step.Recorded(partition, numbers, chance.of(0.2));
  }

  private Epoch newEpoch(Partition partition) {
    return Objects.requireNonNull(
        lastEpoch.computeIfPresent(partition, (same, last) -> last.next()));
  }

  /**
   * Plans the steps of a recovery, with some left out, and a clearing. Other steps may come between
   * them.
   */
  private void planRecovery(Partition partition) {
    var epoch = newEpoch(partition);
    plan.add(new Step.Begin(partition, epoch));
    for (var couponId : couponsOf(partition)) {
      for (var step : rebuilding(new StockAddress(couponId, partition, epoch))) {
        if (chance.of(shareOf(step))) {
          plan.add(step);
        }
      }
    }
    if (chance.of(0.9)) {
      plan.add(new Step.Open(partition, epoch));
    }
  }

  /** The share of recoveries that contain the step. */
  private static double shareOf(Step step) {
    return switch (step) {
      case Step.Ready _ -> 0.8;
      case Step.Clear _ -> 0.1;
      default -> 0.4;
    };
  }

  private List<Step> rebuilding(StockAddress coupon) {
    return List.of(
        new Step.PutMarks(coupon, chance.marks()),
        new Step.Forget(coupon, chance.users(3)),
        new Step.Reserve(coupon, chance.slotClaims()),
        new Step.ClearFree(coupon),
        new Step.PutFreed(coupon, chance.generations(MAX_GENERATION)),
        new Step.AddFree(coupon, chance.slots()),
        new Step.Clear(coupon),
        new Step.Ready(
            coupon, chance.terms(), chance.of(0.5) ? 1 : chance.slot().number(), chance.of(0.3)));
  }

  private void planOpening(Partition partition) {
    var epoch = newEpoch(partition);
    plan.add(new Step.Begin(partition, epoch));
    plan.add(new Step.Open(partition, epoch));
  }

  /** Steps that open every partition as it is, so that its whole state is visible. */
  List<Step> opening() {
    plan.clear();
    partitions.forEach(this::planOpening);
    return List.copyOf(plan);
  }

  /** Steps that query hidden state: generations, and which entries were read. */
  List<Step> questions(Map<Partition, PartitionView> views) {
    var steps = new ArrayList<Step>();
    steps.add(new Step.ReadStale(ANY_AGE));
    steps.add(new Step.ReadNew(MORE_THAN_THERE_CAN_BE));
    coupons.forEach((couponId, partition) -> {
      var view = Objects.requireNonNull(views.get(partition));
      var address = new StockAddress(couponId, partition, view.fence().epoch());
      for (var holder : holders(view.coupon(couponId))) {
        for (int generation = 1; generation <= MAX_GENERATION; generation++) {
          steps.add(new Step.Release(address, holder.userId(), holder.slot(), generation));
        }
      }
    });
    return steps;
  }
}
