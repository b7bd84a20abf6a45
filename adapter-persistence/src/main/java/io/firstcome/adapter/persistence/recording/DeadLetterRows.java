package io.firstcome.adapter.persistence.recording;

import io.firstcome.adapter.persistence.generated.tables.records.DeadLetterRecord;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.handoff.EntryReference;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.UserId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Maps dead letters to rows and back. */
final class DeadLetterRows {

  /** By the hash of the content. */
  static final Comparator<DeadLetterRecord> ORDER =
      (a, b) -> Arrays.compare(a.getContentSha256(), b.getContentSha256());

  private DeadLetterRows() {}

  /** The row of a new dead letter, without its id. */
  static DeadLetterRecord toRow(DeadLetter.Draft draft, Instant now) {
    var row = new DeadLetterRecord();
    row.setReason(draft.reason());
    row.setAttempts(1);
    row.setFirstFailedAt(now);
    row.setLastTriedAt(now);
    switch (draft.content()) {
      case Content.Claims(HandoffEntry entry) -> fill(row, entry);
      case Content.Unreadable(String base64) -> {
        row.setBody(Base64.getDecoder().decode(base64));
        row.setContentSha256(sha256("message " + base64));
      }
    }
    return row;
  }

  private static void fill(DeadLetterRecord row, HandoffEntry entry) {
    var reference = entry.reference();
    row.setPartitionId(reference.partition().number());
    row.setEntryId(reference.entryId());
    row.setEpoch(reference.epoch().number());
    row.setCouponId(entry.couponId().value());
    row.setAcceptedAt(entry.acceptedAt());
    row.setUserIds(
        entry.claims().stream().map(claim -> claim.userId().value()).toArray(String[]::new));
    row.setSlots(
        entry.claims().stream().map(claim -> claim.slot().number()).toArray(Integer[]::new));
    row.setContentSha256(sha256(text(entry)));
  }

  /** Contains every member of the entry; no member can contain a space. */
  private static String text(HandoffEntry entry) {
    var reference = entry.reference();
    return entry.claims().stream()
        .map(claim -> claim.slot() + " " + claim.userId())
        .collect(
            Collectors.joining(
                " ",
                "claims %s %s %s %s %s "
                    .formatted(
                        reference.partition(),
                        reference.entryId(),
                        reference.epoch(),
                        entry.couponId(),
                        entry.acceptedAt()),
                ""));
  }

  static DeadLetter fromRow(DeadLetterRecord row) {
    return new DeadLetter(
        new DeadLetterId(row.getDeadLetterId()),
        row.getBody() == null
            ? new Content.Claims(entry(row))
            : new Content.Unreadable(Base64.getEncoder().encodeToString(row.getBody())),
        row.getReason(),
        row.getAttempts(),
        row.getFirstFailedAt(),
        row.getLastTriedAt());
  }

  private static HandoffEntry entry(DeadLetterRecord row) {
    var users = row.getUserIds();
    var slots = row.getSlots();
    return new HandoffEntry(
        new EntryReference(
            new Partition(row.getPartitionId()), row.getEntryId(), new Epoch(row.getEpoch())),
        new CouponId(row.getCouponId()),
        row.getAcceptedAt(),
        IntStream.range(0, users.length)
            .mapToObj(i -> new SlotClaim(new UserId(users[i]), new Slot(slots[i])))
            .toList());
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
