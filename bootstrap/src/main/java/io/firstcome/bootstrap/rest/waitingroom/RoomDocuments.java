package io.firstcome.bootstrap.rest.waitingroom;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.firstcome.application.waitingroom.ReadRoom;
import io.firstcome.bootstrap.rest.request.PublicDocument;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.coupon.CouponId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** The public documents of waiting rooms, each made at most twice a second while it is read. */
@Component
@WithRedis
class RoomDocuments {

  /** As often as rooms are read. */
  static final Duration FRESH_FOR = Duration.ofMillis(500);

  /** About 10 MB. */
  private static final int MOST_ROOMS = 10_000;

  private final Function<CouponId, Optional<ReadRoom.View>> rooms;
  private final JsonMapper mapper;
  private final Ticker ticker;
  private final ConcurrentMap<CouponId, Made> cached =
      Caffeine.newBuilder().maximumSize(MOST_ROOMS).<CouponId, Made>build().asMap();

  private record Made(PublicDocument document, long nanos) {}

  @Autowired
  RoomDocuments(ReadRoom readRoom, JsonMapper mapper) {
    this(readRoom::read, mapper, Ticker.systemTicker());
  }

  RoomDocuments(
      Function<CouponId, Optional<ReadRoom.View>> rooms, JsonMapper mapper, Ticker ticker) {
    this.rooms = rooms;
    this.mapper = mapper;
    this.ticker = ticker;
  }

  /** The document of the coupon's room; empty if there is no such coupon, or it has none. */
  Optional<PublicDocument> find(CouponId couponId) {
    long now = ticker.read();
    var present = cached.get(couponId);
    if (present != null && now - present.nanos() < FRESH_FOR.toNanos()) {
      return Optional.of(present.document());
    }
    return rooms
        .apply(couponId)
        .map(RoomJson::of)
        .map(room -> PublicDocument.of(room, room.withCoarseServerTime(), mapper))
        .map(document -> {
          cached.put(couponId, new Made(document, now));
          return document;
        });
  }
}
