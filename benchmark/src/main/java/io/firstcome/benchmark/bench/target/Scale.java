package io.firstcome.benchmark.bench.target;

import java.time.Duration;

/**
 * The scale of a run: its rounds, durations and numbers of claims.
 *
 * @param name in the report
 * @param rounds of each target
 * @param longRounds of targets whose single round takes a minute
 * @param warmUp duration for each kind of load, before its first round
 * @param load duration of each kind of load in one round, at the maximum or at a fixed rate
 * @param sustained duration of the load under which the pipeline must keep up
 * @param claims in one round without HTTP
 * @param issued users whose memory in Redis is measured
 * @param fewIssued users of the small coupon whose claims are compared with those of a large one
 * @param manyIssued users of the large coupon
 * @param quantity number of slots of a coupon that is sold out at once
 * @param buyers users who claim the coupon that is sold out at once
 * @param openCoupons coupons that are open at the same time
 * @param claimedCoupons open coupons that are claimed at the same time
 * @param waiting users in one waiting room
 * @param streams how many of them have a stream of events
 * @param raceQuantity number of slots that the slowest strategy of a race issues in a round
 */
public record Scale(
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
    int quantity,
    int buyers,
    int openCoupons,
    int claimedCoupons,
    int waiting,
    int streams,
    int raceQuantity) {

  /** The scale for which the targets are defined. */
  public static Scale full() {
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
        100_000,
        5_000,
        5_000);
  }

  /** A functional check, and a first impression. */
  public static Scale quick() {
    return new Scale(
        "quick: one short round, a short warm-up, and fewer issued users than the targets require",
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
        5_000,
        250,
        500);
  }
}
