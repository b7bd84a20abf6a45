package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.World;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The proof of a coupon with hundreds of thousands of unrecorded claims, as the broker is
 * unreachable. The test writes the claims into Redis in the format of the service's script.
 */
@Tag("faults")
class LargeProofIT {

  private static final int CLAIMS = 300_000;
  private static final int BATCH = 500;
  private static final int SPARE = 10;
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(22);

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void a_proof_returns_its_progress_and_then_the_exact_figures() {
    try (var world = World.ofItsOwn("large-proof")) {
      world.links().amqp().refuse();
      var coupon = world.define(aCoupon().withTotal(CLAIMS + SPARE));
      claimAll(world, coupon);

      var first = world.send(Call.proof(coupon).prefer("wait=0"));
      assertThat(first.status()).as(first.body()).isEqualTo(202);
      assertThat(first.header("retry-after")).isEqualTo("1");
      assertThat(first.text("state")).isEqualTo("COMPARING");
      var next = world.send(Call.proof(coupon).prefer("wait=0"));
      assertThat(next.status()).as(next.body()).isEqualTo(202);
      assertThat(next.text("begunAt")).as("one comparison").isEqualTo(first.text("begunAt"));

      var proof = requestUntilDone(world, coupon);
      assertThat(proof.status()).as(proof.body()).isEqualTo(200);
      assertFigure(proof, "slotsUsed", CLAIMS);
      assertFigure(proof, "unrecorded", CLAIMS);
      assertFigure(proof, "free", SPARE);
      assertFigure(proof, "missing", 0);
      assertFigure(proof, "extra", 0);
      assertFigure(proof, "lost", 0);
    }
  }

  private static Answer requestUntilDone(World world, String coupon) {
    Answer answer;
    do {
      long begin = System.nanoTime();
      answer = world.send(Call.proof(coupon).prefer("wait=20"));
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(LONGEST_ANSWER);
    } while (answer.status() == 202);
    return answer;
  }

  private static void assertFigure(Answer proof, String member, long expected) {
    assertThat(proof.json().path(member).asLong())
        .as(member + " of " + proof.body())
        .isEqualTo(expected);
  }

  private static void claimAll(World world, String coupon) {
    int partition = number(world, "SELECT partition_id FROM coupon WHERE coupon_id = '%s'", coupon);
    int epoch =
        number(
            world,
            "SELECT epoch FROM stock_partition NATURAL JOIN coupon WHERE coupon_id = '%s'",
            coupon);
    var keys = "firstcome:{%d}:".formatted(partition);
    for (int first = 1; first <= CLAIMS; first += BATCH) {
      world
          .redis()
          .command(
              "EVAL",
              """
              local marked = {}
              for slot = ARGV[1], ARGV[1] + ARGV[2] - 1 do
                local text = string.format('%d', slot)
                marked[#marked + 1] = 'crowd-' .. text
                marked[#marked + 1] = text
              end
              redis.call('HSET', KEYS[1], unpack(marked))
              redis.call('HSET', KEYS[2], 'next', ARGV[1] + ARGV[2])
              redis.call('XADD', KEYS[3], '*', 'v', 1, 'epoch', ARGV[3], 'coupon', ARGV[4],
                'claims', table.concat(marked, ' '))
              """,
              "3",
              keys + "coupon:" + coupon + ":ledger",
              keys + "coupon:" + coupon + ":stock",
              keys + "handoff",
              Integer.toString(first),
              Integer.toString(BATCH),
              Integer.toString(epoch),
              coupon);
    }
  }

  private static int number(World world, String sql, String coupon) {
    try (var connection = world.postgres().connect();
        var statement = connection.createStatement();
        var found = statement.executeQuery(sql.formatted(coupon))) {
      assertThat(found.next()).isTrue();
      return found.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the partition or epoch of the coupon", e);
    }
  }
}
