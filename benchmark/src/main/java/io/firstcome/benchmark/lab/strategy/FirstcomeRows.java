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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The rows of Firstcome: derives a code for each user, and writes rows and events by Firstcome's
 * own adapter. The events are not published. It does not continue after a kill, because it counts
 * the slots.
 */
final class FirstcomeRows implements WinRows {

  static final CouponId COUPON = new CouponId("LAB");

  private static final Partition PARTITION = new Partition(0);
  private static final Epoch EPOCH = new Epoch(1);
  private static final String OWNERS =
      "SELECT user_id FROM user_coupon_text WHERE coupon_id = '" + COUPON.value() + "'";

  private final Stores stores;
  private final int quantity;
  private final CodeKeys codeKeys = new CodeKeys(Map.of(1, new byte[CodeKeys.MIN_KEY_BYTES]), 1);
  private @Nullable ServiceRows rows;
  private int written;

  FirstcomeRows(Stores stores, int quantity) {
    this.stores = stores;
    this.quantity = quantity;
  }

  @Override
  public void create() {
    rows = ServiceRows.create(stores.postgres(), COUPON.value(), quantity, codeKeys);
  }

  @Override
  public void write(List<String> users) {
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
  public List<String> owners() throws SQLException {
    return owners(rows().dataSource());
  }

  /** The owner of each user coupon of {@link #COUPON} in the database of a service. */
  static List<String> owners(DataSource database) throws SQLException {
    try (var connection = database.getConnection();
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
    return Objects.requireNonNull(rows, "not created");
  }

  @Override
  public void close() {
    if (rows != null) {
      rows.close();
    }
  }
}
