package io.firstcome.adapter.redis;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Parses the entries of the hand-off log that claim.lua writes. */
final class LogEntries {

  private static final String VERSION = "1";

  /** Epoch milliseconds of a time before the year 10000 have at most 15 digits. */
  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,15}");

  private LogEntries() {}

  /** The entry has no version or an unknown one, or is malformed. The message quotes no content. */
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
   * Parses the entry with that id.
   *
   * @throws UnreadableEntryException if this release cannot read it
   */
  static HandoffEntry read(Partition partition, String id, Map<String, String> fields)
      throws UnreadableEntryException {
    if (!VERSION.equals(fields.get("v"))) {
      throw new UnreadableEntryException("unknown version, expected " + VERSION);
    }
    try {
      return new HandoffEntry(
          new EntryReference(partition, id, new Epoch(Long.parseLong(field(fields, "epoch")))),
          new CouponId(field(fields, "coupon")),
          writtenAt(id, fields),
          claims(field(fields, "claims")));
    } catch (IllegalArgumentException e) {
      throw new UnreadableEntryException("malformed entry of version " + VERSION);
    }
  }

  /**
   * When the entry was written and its claims were accepted, by the clock of Redis. The id begins
   * with that time too, but is later if the clock was ever ahead, because ids never decrease. So
   * the id is used only for an entry without a readable field {@code at}: one of an earlier
   * release, or a malformed one.
   */
  static Instant writtenAt(String id, Map<String, String> fields) {
    var at = fields.get("at");
    boolean isNumber = at != null && MILLIS.matcher(at).matches();
    long millis = Long.parseUnsignedLong(isNumber ? at : id.substring(0, id.indexOf('-')));
    // The number in an id is unsigned.
    return Instant.ofEpochMilli(millis < 0 ? Long.MAX_VALUE : millis);
  }

  /** Reads {@code <user> <slot> <user> <slot> …}: no user id can contain a space. */
  private static List<SlotClaim> claims(String text) {
    var members = text.split(" ", -1);
    if (members.length % 2 != 0) {
      throw new IllegalArgumentException("a claim must be <user> <slot>");
    }
    List<SlotClaim> claims = new ArrayList<>(members.length / 2);
    for (int i = 0; i < members.length; i += 2) {
      claims.add(new SlotClaim(new UserId(members[i]), new Slot(Integer.parseInt(members[i + 1]))));
    }
    return claims;
  }

  private static String field(Map<String, String> fields, String name) {
    var value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }
}
