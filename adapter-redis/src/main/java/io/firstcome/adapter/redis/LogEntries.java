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
import java.util.regex.Pattern;

/** Reads the entries that claim.lua writes. */
final class LogEntries {

  private static final String VERSION = "1";

  /** As many digits as a number of milliseconds before the year 10000 may have. */
  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,15}");

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
          writtenAt(id, fields),
          claims(field(fields, "claims")));
    } catch (IllegalArgumentException e) {
      throw new UnreadableEntryException("it is not as version " + VERSION + " must be");
    }
  }

  /**
   * When the entry was written, by the server's clock: when its claims were accepted. An id begins
   * with that time too, unless the clock was once ahead: an id is never below the one before it. So
   * the id counts only for an entry without the field, which an earlier release has written, and
   * for one that cannot be read.
   */
  static Instant writtenAt(String id, Map<String, String> fields) {
    var at = fields.get("at");
    boolean isNumber = at != null && MILLIS.matcher(at).matches();
    return Instant.ofEpochMilli(Long.parseLong(isNumber ? at : id.substring(0, id.indexOf('-'))));
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
