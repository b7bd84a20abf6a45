package io.firstcome.adapter.redis;

import static java.util.Objects.requireNonNull;

import io.firstcome.domain.issuance.SoldOutLease;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockUnavailableException;
import java.io.ByteArrayOutputStream;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Leases on "sold out" in Redis, and the filters of ledgers that they need. A filter is made once,
 * by the instance that requests the first lease, and shared through Redis; the others read it.
 */
final class RedisSoldOutLeases implements SoldOutLeases {

  /** The most calls of one request, apart from those that transfer a filter. */
  private static final int MAX_CALLS = 50;

  /** Bytes of a filter that are transferred together: 64 KiB in base 64, without padding. */
  private static final int PART = 48 * 1_024;

  private static final int PART_AS_TEXT = PART / 3 * 4;

  /** The most users of a reply. */
  private static final int LATER_USERS = 5_000;

  /** A maker that makes no call for so long has failed; another one begins another filter. */
  private static final Duration MAKER_SILENCE = Duration.ofSeconds(10);

  private static final Duration MAKER_CALLS_EVERY = Duration.ofSeconds(1);

  private final RedisConnection link;
  private final CouponStock stock;
  private final ReplicaAcks copies;
  private final LedgerFilters filters;

  /** One filter at a time, so that neither Redis nor memory has to bear several. */
  private final Semaphore transfer = new Semaphore(1);

  /**
   * @param stock reads the ledgers
   */
  RedisSoldOutLeases(
      RedisConnection link, CouponStock stock, ReplicaAcks copies, RedisLimits limits) {
    this.link = link;
    this.stock = stock;
    this.copies = copies;
    this.filters = new LedgerFilters(limits.filterBytes());
  }

  @Override
  public Optional<SoldOutLease> request(StockAddress coupon) {
    boolean transfers = false;
    try {
      for (int i = 0; i < MAX_CALLS; i++) {
        var filter = known(coupon);
        int later = filter == null ? 0 : filter.later();
        var reply = lease(coupon, filter == null ? "" : filter.id(), later, transfers);
        var kind = (String) reply.get(1);
        if (filter != null && (kind.equals("MORE") || kind.equals("GRANTED"))) {
          filter.addLater(later, reply.stream().skip(2).map(String.class::cast).toList());
        }
        if (kind.equals("GRANTED")) {
          copies.awaitMade(coupon);
          return Optional.of(new Lease(new WeakReference<>(requireNonNull(filter))));
        }
        boolean isTransfer = kind.equals("MISSING") || kind.equals("FETCH");
        transfers = transfers || (isTransfer && transfer.tryAcquire());
        if (!goesOn(coupon, reply, kind, transfers)) {
          break;
        }
      }
      return Optional.empty();
    } finally {
      if (transfers) {
        transfer.release();
      }
    }
  }

  /** Does what the reply demands. */
  private boolean goesOn(StockAddress coupon, List<Object> reply, String kind, boolean transfers) {
    return switch (kind) {
      case "MORE" -> true;
      case "MISSING" -> transfers;
      case "MAKE" -> make(coupon, (String) reply.get(2), (Long) reply.get(3));
      case "FETCH" -> transfers && fetch(coupon, (String) reply.get(2), (Long) reply.get(3));
      default -> false;
    };
  }

  /**
   * A lease that is over does not keep the filter in memory. Without it only the stock can tell.
   */
  private record Lease(WeakReference<LedgerFilter> filter) implements SoldOutLease {

    @Override
    public boolean mayHaveMark(UserId user) {
      var known = filter.get();
      return known == null || known.mayHaveMark(user);
    }
  }

  private @Nullable LedgerFilter known(StockAddress coupon) {
    return filters
        .use(coupon.couponId())
        .filter(filter -> filter.isOf(coupon.epoch()))
        .orElse(null);
  }

  private List<Object> lease(StockAddress coupon, String filter, int later, boolean makes) {
    return link.call(
        LuaScript.LEASE,
        new String[] {
          RedisKeys.fence(coupon.partition()),
          RedisKeys.stock(coupon),
          RedisKeys.ledger(coupon),
          RedisKeys.returned(coupon),
          RedisKeys.unfiltered(coupon),
          RedisKeys.filter(coupon)
        },
        coupon.epoch().toString(),
        Long.toString(SoldOutLease.LENGTH.toMillis()),
        filter,
        Integer.toString(later),
        Integer.toString(LATER_USERS),
        Long.toString(filters.maxUsers()),
        Long.toString(MAKER_SILENCE.toMillis()),
        makes ? "1" : "0");
  }

  /**
   * Makes the filter from the ledger, and stores it for the other instances; false if there is no
   * room for it, or another filter was begun meanwhile.
   */
  private boolean make(StockAddress coupon, String filterId, long users) {
    if (!filters.hasRoom(coupon.couponId(), LedgerFilter.size(users))) {
      return false;
    }
    var filter = LedgerFilter.empty(coupon.epoch(), filterId, users);
    long called = System.nanoTime();
    String cursor = null;
    do {
      long begun = System.nanoTime();
      if (begun - called >= MAKER_CALLS_EVERY.toNanos()) {
        called = begun;
        if (!put(coupon, filterId, "", false)) {
          return false;
        }
      }
      var page = stock.ledger(coupon, cursor);
      page.marks().keySet().forEach(user -> filter.add(user.value()));
      cursor = page.next();
      rest(System.nanoTime() - begun);
    } while (cursor != null);
    return store(coupon, filter)
        && filters.keep(coupon.couponId(), filter, LedgerFilter.size(users));
  }

  /** Redis is free for claims as long as it was busy. */
  private static void rest(long nanos) {
    try {
      Thread.sleep(Duration.ofNanos(nanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StockUnavailableException(Effect.UNKNOWN, "interrupted while filtering", e);
    }
  }

  private boolean store(StockAddress coupon, LedgerFilter filter) {
    var bytes = filter.toBytes();
    for (int from = 0; from < bytes.length; from += PART) {
      int to = Math.min(from + PART, bytes.length);
      var part = Base64.getEncoder().encodeToString(Arrays.copyOfRange(bytes, from, to));
      if (!put(coupon, filter.id(), part, to == bytes.length)) {
        return false;
      }
    }
    return true;
  }

  /** Stores the next part of a filter; false if another one was begun meanwhile. */
  private boolean put(StockAddress coupon, String filterId, String part, boolean isLast) {
    var reply =
        link.call(
            LuaScript.PUT_FILTER,
            keysOfFilter(coupon),
            coupon.epoch().toString(),
            filterId,
            part,
            isLast ? "1" : "0");
    return (Long) reply.get(1) == 1;
  }

  /**
   * Reads a filter that another instance has made; false if there is no room for it, or it is not
   * there any more.
   */
  private boolean fetch(StockAddress coupon, String filterId, long length) {
    if (!filters.hasRoom(coupon.couponId(), length / 4 * 3)) {
      return false;
    }
    var bytes = new ByteArrayOutputStream(Math.toIntExact(length / 4 * 3) + 3);
    int from = 0;
    String part;
    do {
      var reply =
          link.call(
              LuaScript.FILTER,
              keysOfFilter(coupon),
              coupon.epoch().toString(),
              filterId,
              Integer.toString(from),
              Integer.toString(PART_AS_TEXT));
      if (reply.size() == 1) {
        return false;
      }
      part = (String) reply.get(1);
      bytes.writeBytes(Base64.getDecoder().decode(part));
      from += PART_AS_TEXT;
    } while (part.length() == PART_AS_TEXT);
    var filter = LedgerFilter.of(coupon.epoch(), filterId, bytes.toByteArray());
    return filters.keep(coupon.couponId(), filter, bytes.size());
  }

  private static String[] keysOfFilter(StockAddress coupon) {
    return new String[] {
      RedisKeys.fence(coupon.partition()), RedisKeys.stock(coupon), RedisKeys.filter(coupon)
    };
  }

  @Override
  public long latest(StockAddress coupon) {
    var reply = link.call(LuaScript.LATEST_LEASE, keysOfStock(coupon), coupon.epoch().toString());
    return (Long) reply.get(1);
  }

  @Override
  public void end(StockAddress coupon, long lease) {
    link.call(
        LuaScript.END_LEASE, keysOfStock(coupon), coupon.epoch().toString(), Long.toString(lease));
  }

  private static String[] keysOfStock(StockAddress coupon) {
    return new String[] {RedisKeys.fence(coupon.partition()), RedisKeys.stock(coupon)};
  }
}
