package io.firstcome.benchmark.bench;

import java.time.Duration;

/**
 * How much is done of everything.
 *
 * @param name in the report
 * @param rounds of each target
 * @param longRounds of targets whose one round takes a minute
 * @param warmUp for each kind of load, before the first round that has it
 * @param load of one kind in one round, as fast as it goes or at a fixed rate
 * @param sustained how long the pipeline has to keep up
 * @param claims in one round without HTTP
 * @param issued users whose memory in Redis is counted
 * @param fewIssued users of the small coupon whose claims are compared with those of a large one
 * @param manyIssued users of the large one
 * @param pieces of a coupon that is sold out at once
 * @param buyers of those
 * @param openCoupons at the same time
 * @param claimedCoupons of those that are claimed at the same time
 * @param racePieces that the slowest strategy of a race gives away in a round
 */
record Scale(
    String name,
    int rounds,
    int longRounds,
    Duration warmUp,
    Duration load,
    Duration sustained,
    int claims,
    int issued,
    int fewIssued,
    int manyIssued,
    int pieces,
    int buyers,
    int openCoupons,
    int claimedCoupons,
    int racePieces) {

  /** What the targets speak of. */
  static Scale full() {
    return new Scale(
        "at full scale",
        5,
        5,
        Duration.ofSeconds(45),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60),
        1_000_000,
        1_000_000,
        10_000,
        10_000_000,
        10_000,
        20_000,
        10_000,
        1_000,
        5_000);
  }

  /** Whether everything works, and a first impression. */
  static Scale quick() {
    return new Scale(
        "quick: one short round, hardly warmed up, and fewer users issued than the targets speak of",
        1,
        1,
        Duration.ofSeconds(3),
        Duration.ofSeconds(2),
        Duration.ofSeconds(4),
        100_000,
        50_000,
        10_000,
        200_000,
        10_000,
        20_000,
        200,
        50,
        500);
  }
}
