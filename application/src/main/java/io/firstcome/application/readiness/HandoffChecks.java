package io.firstcome.application.readiness;

import io.firstcome.application.coupon.ListCoupons;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.application.coupon.ReadOpenCoupons;
import io.firstcome.application.readiness.ReadinessCheck.Subject;
import io.firstcome.application.recording.ReadLateClaims;
import io.firstcome.application.recovery.StockKeeper;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponSection;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.BrokerCheck;
import io.firstcome.domain.port.DeadLetters;
import io.firstcome.domain.port.HandoffLog;
import io.firstcome.domain.port.StockServer;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The checks of a deployment whose stock hands accepted claims off to the database. */
public final class HandoffChecks {

  /** A batch of claims becomes rows within a second or two. */
  private static final Duration OLD_ENTRY = Duration.ofSeconds(5);

  private static final int MOST_LETTERS = 100;
  private static final int MOST_LATE_CLAIMS = 10_000;
  private static final int MOST_COUPONS = 50;

  /**
   * In Redis, for each user who claims: a mark in the ledger of at most 100 bytes with ids of 36
   * characters (target P8 of docs/performance.md), and a part of an entry of the log until there is
   * a row.
   */
  private static final long BYTES_FOR_A_SLOT = 150;

  /** The rest is for connections, waiting rooms and rewriting the append-only file. */
  private static final double USABLE = 0.7;

  private static final double MEGABYTE = 1_000_000;

  private HandoffChecks() {}

  /** Every partition accepts claims of this instance. */
  public static ReadinessCheck partitions(StockKeeper keeper) {
    return new ReadinessCheck(
        Subject.PARTITIONS,
        () -> {
          var closed = keeper.closed();
          int all = keeper.partitions().size();
          return closed.isEmpty()
              ? Finding.ready("All %d accept claims of this instance.".formatted(all))
              : Finding.notReady(
                  "%d of %d refuse claims of this instance: %s."
                      .formatted(
                          closed.size(),
                          all,
                          closed.stream()
                              .map(partition -> Integer.toString(partition.number()))
                              .collect(Collectors.joining(", "))),
                  "If a recovery runs, wait for its end. Otherwise see FirstcomePartitionClosed in the runbook.");
        });
  }

  /** Accepted claims do not wait for their rows. */
  public static ReadinessCheck log(StockKeeper keeper, HandoffLog log) {
    return new ReadinessCheck(
        Subject.HANDOFF_LOG,
        () -> {
          long entries = 0;
          var oldest = Duration.ZERO;
          for (Partition partition : keeper.partitions()) {
            var depth = log.depth(partition);
            entries += depth.entries();
            oldest = oldest.compareTo(depth.oldestAge()) >= 0 ? oldest : depth.oldestAge();
          }
          if (entries == 0) {
            return Finding.ready("It is empty: all accepted claims have their rows.");
          }
          var text =
              "%,d batches of claims wait for their rows, the oldest for %d s."
                  .formatted(entries, oldest.toSeconds());
          return oldest.compareTo(OLD_ENTRY) <= 0
              ? Finding.ready(text)
              : Finding.notReady(
                  text,
                  "Look at broker, recorders and database: see FirstcomeHandoffDelayed in the runbook.");
        });
  }

  /** The broker confirms messages, and recorders receive them. */
  public static ReadinessCheck broker(BrokerCheck broker) {
    return new ReadinessCheck(
        Subject.BROKER,
        () -> {
          var queue = broker.check();
          return queue.recorders() > 0
              ? Finding.ready(
                  "It confirms messages. %d recorders receive claims, and %,d messages wait for them."
                      .formatted(queue.recorders(), queue.waiting()))
              : Finding.notReady(
                  "It confirms messages, but no recorder receives claims: they would have no rows.",
                  "Restart an instance, and read its log.");
        });
  }

  /** No accepted claim waits for a slot. */
  public static ReadinessCheck lateClaims(ReadLateClaims lateClaims) {
    return new ReadinessCheck(
        Subject.LATE_CLAIMS,
        () -> {
          int number = lateClaims.count(MOST_LATE_CLAIMS);
          return number == 0
              ? Finding.ready("There are none.")
              : Finding.doubtful(
                  (number == MOST_LATE_CLAIMS ? "%,d or more" : "%,d").formatted(number)
                      + " accepted claims have lost their slot or could not be recorded, and wait for one.",
                  "Wait until there are none. If they stay, see Incidents and the log of this instance.");
        });
  }

  /** No claim was set aside. */
  public static ReadinessCheck deadLetters(DeadLetters letters) {
    return new ReadinessCheck(
        Subject.DEAD_LETTERS,
        () -> {
          int number = letters.count(MOST_LETTERS);
          return number == 0
              ? Finding.ready("There are none.")
              : Finding.doubtful(
                  number == MOST_LETTERS ? "There are many." : "There are %d.".formatted(number),
                  "Read why, and replay them: see Incidents.");
        });
  }

  /** The stock has enough memory for the coupons that are open or open next. */
  public static ReadinessCheck memory(
      StockServer memory, ListCoupons coupons, ReadOpenCoupons openCoupons) {
    return new ReadinessCheck(
        Subject.MEMORY,
        () -> {
          var usage = memory.read();
          long slots = scheduled(coupons) + open(openCoupons);
          double needed = slots * BYTES_FOR_A_SLOT;
          var text =
              String.format(
                  Locale.ROOT,
                  "Redis uses %,.0f of %,.0f MB. The %,d slots of coupons that are open or open next"
                      + " need about %,.0f MB.",
                  usage.usedBytes() / MEGABYTE,
                  usage.limitBytes() / MEGABYTE,
                  slots,
                  needed / MEGABYTE);
          return needed <= usage.freeBytes() * USABLE
              ? Finding.ready(text)
              : Finding.notReady(
                  text,
                  "Give Redis more memory, or open fewer coupons: without memory it refuses claims.");
        });
  }

  private static long scheduled(ListCoupons coupons) {
    return slots(
        coupons.section(CouponSection.SCHEDULED, "", 0, MOST_COUPONS).items().stream()
            .map(ReadCoupon.View::coupon));
  }

  private static long open(ReadOpenCoupons openCoupons) {
    return openCoupons.latest(MOST_COUPONS).stream()
        .filter(open -> isInMemory(open.coupon()))
        .mapToLong(open -> open.remaining().orElse(open.coupon().definition().totalQuantity()))
        .sum();
  }

  private static long slots(Stream<Coupon> coupons) {
    return coupons
        .filter(HandoffChecks::isInMemory)
        .mapToLong(coupon -> coupon.definition().totalQuantity())
        .sum();
  }

  private static boolean isInMemory(Coupon coupon) {
    return coupon.stockBackend() == StockBackend.REDIS;
  }
}
