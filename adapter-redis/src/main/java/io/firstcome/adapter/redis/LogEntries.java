package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.EntryReference;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.HandoffEntry;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reads the entries that claim.lua writes. */
final class LogEntries {

  private static final String VERSION = "1";

  private LogEntries() {}

  /** An entry of another version, or of none. The message quotes nothing of what it holds. */
  static final class UnreadableEntryException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String reason;

    private UnreadableEntryException(String reason) {
      super(reason);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  /**
   * The entry of that id.
   *
   * @throws UnreadableEntryException if only another release could read it
   */
  static HandoffEntry read(Partition partition, String id, Map<String, String> fields)
      throws UnreadableEntryException {
    if (!VERSION.equals(fields.get("v"))) {
      throw new UnreadableEntryException("it is not of version " + VERSION);
    }
    try {
      return new HandoffEntry(
          new EntryReference(partition, id, new Epoch(Long.parseLong(field(fields, "epoch")))),
          new CouponId(field(fields, "coupon")),
          acceptedAt(id),
          claims(field(fields, "claims")));
    } catch (IllegalArgumentException e) {
      throw new UnreadableEntryException("it is not as version " + VERSION + " must be");
    }
  }

  /** An id begins with the server's time, in ms, and an entry is written when it is accepted. */
  static Instant acceptedAt(String id) {
    return Instant.ofEpochMilli(Long.parseLong(id.substring(0, id.indexOf('-'))));
  }

  private static List<SlotClaim> claims(String text) {
    return Arrays.stream(text.split(",")).map(LogEntries::slotClaim).toList();
  }

  private static SlotClaim slotClaim(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("a claim is <slot>:<user>");
    }
    return new SlotClaim(
        new UserId(text.substring(colon + 1)), new Slot(Integer.parseInt(text, 0, colon, 10)));
  }

  private static String field(Map<String, String> fields, String name) {
    var value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name);
    }
    return value;
  }
}
