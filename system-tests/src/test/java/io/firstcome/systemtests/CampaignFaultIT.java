package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Campaigns;
import io.firstcome.systemtests.kit.Fault;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Scenario;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import org.junit.jupiter.api.extension.ExtendWith;

/** Redis fails while users claim coupons of which each user can have one. */
@ExtendWith(QuietLogs.class)
class CampaignFaultIT {

  private final World world = World.get();

  @Scenario(
      number = "48",
      fault = "Redis killed (SIGKILL) while the same users claim two coupons of a campaign",
      guards = "claim-campaign")
  void a_killed_redis_gives_no_user_more_coupons_than_the_campaign_allows(Fault fault) {
    var coupons =
        Campaigns.published(world, 1, aCoupon().withTotal(1_500), aCoupon().withTotal(1_500));
    var users = Users.some(3_000);
    var one = world.crowd(coupons.getFirst(), users);
    var other = world.crowd(coupons.getLast(), users);
    one.awaitMidBurst(300);

    fault.strike(one, world.redis()::kill);
    fault.mend(world.redis()::restart);
    one.join();
    other.join();

    assertThat(CampaignApiIT.users(fault.exact(world, coupons.getFirst())))
        .hasSize(1_500)
        .doesNotContainAnyElementsOf(CampaignApiIT.users(fault.exact(world, coupons.getLast())));
  }
}
