package io.firstcome.benchmark.lab.strategy;

import io.firstcome.benchmark.bench.row.ServiceRows;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.AcceptedClaim;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@link StreamHandOff} with the rows of Firstcome: its consumer derives a code for each win, and
 * writes rows and events by Firstcome's own adapter. The events are not published. It does not
 * continue after a kill, because the consumer counts the slots.
 */
final class StreamToServiceRows implements Strategy {

  private static final CouponId COUPON = new CouponId("LAB");
  private static final Partition PARTITION = new Partition(0);
  private static final Epoch EPOCH = new Epoch(1);
  private static final String OWNERS =
      "SELECT user_id FROM user_coupon_text WHERE coupon_id = '" + COUPON.value() + "'";

  private final Stores stores;
  private final int quantity;
  private final RedisCalls redis;
  private final CounterAndSet counterAndSet;
  private final CodeKeys codeKeys = new CodeKeys(Map.of(1, new byte[CodeKeys.MIN_KEY_BYTES]), 1);
  private @Nullable ServiceRows rows;
  private @Nullable WinStream wins;
  private int written;

  StreamToServiceRows(Stores stores, int quantity) {
    this.stores = stores;
    this.quantity = quantity;
    this.redis = new RedisCalls(stores);
    this.counterAndSet =
        new CounterAndSet(redis, "counter_set_and_stream", quantity, WinStream.KEY);
  }

  @Override
  public void prepare() {
    stores.emptyRedis();
    rows = ServiceRows.create(stores.postgres(), COUPON.value(), quantity, codeKeys);
  }

  @Override
  public void start() {
    wins = new WinStream(redis, this::write);
  }

  private void write(List<String> users) {
    var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    rows().write(users.stream().map(user -> accepted(new UserId(user), now)).toList());
  }

  private AcceptedClaim accepted(UserId user, Instant now) {
    written++;
    return new AcceptedClaim(
        COUPON,
        user,
        new Slot(written),
        PARTITION,
        EPOCH,
        now,
        codeKeys.identityOf(codeKeys.activeVersion(), COUPON, user));
  }

  @Override
  public StrategyAnswer claim(String user) {
    return counterAndSet.claim(user);
  }

  @Override
  public void settle(Duration within) throws InterruptedException {
    if (wins != null) {
      wins.settle(within);
    }
  }

  @Override
  public List<String> owners() throws SQLException {
    try (var connection = rows().dataSource().getConnection();
        var statement = connection.prepareStatement(OWNERS);
        var found = statement.executeQuery()) {
      var owners = new ArrayList<String>();
      while (found.next()) {
        owners.add(found.getString(1));
      }
      return owners;
    }
  }

  private ServiceRows rows() {
    return Objects.requireNonNull(rows, "not prepared");
  }

  @Override
  public void close() {
    if (wins != null) {
      wins.close();
    }
    redis.close();
    if (rows != null) {
      rows.close();
    }
  }
}
