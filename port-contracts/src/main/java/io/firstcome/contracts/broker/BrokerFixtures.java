package io.firstcome.contracts.broker;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.contracts.HostileUserIds;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import java.util.List;
import java.util.stream.IntStream;

/** Log entries for tests, the same in every run. */
public final class BrokerFixtures {

  private static final CouponId WELCOME = new CouponId("WELCOME");

  private BrokerFixtures() {}

  /** Different entries of one log, of one to three claims each. */
  public static List<HandoffEntry> entries(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(BrokerFixtures::entry).toList();
  }

  private static HandoffEntry entry(int number) {
    List<SlotClaim> claims =
        IntStream.rangeClosed(1, 1 + (number - 1) % 3).mapToObj(n -> claim(number, n)).toList();
    return new HandoffEntry(
        reference(number), WELCOME, CouponFixtures.ACCEPTED_AT.plusMillis(number), claims);
  }

  private static EntryReference reference(int number) {
    return new EntryReference(new Partition(3), "1777626000123-" + number, new Epoch(2));
  }

  private static SlotClaim claim(int entry, int number) {
    return new SlotClaim(HostileUserIds.of(entry * 3 + number), new Slot(entry * 3 + number));
  }
}
