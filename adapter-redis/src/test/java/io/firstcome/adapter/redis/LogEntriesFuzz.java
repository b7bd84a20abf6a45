package io.firstcome.adapter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.adapter.redis.LogEntries.UnreadableEntryException;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.handoff.HandoffEntry;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Entries of the hand-off log, as text: the id, and {@code name=value} of a field on each further
 * line. An entry is read as what claim.lua would have written, or is unreadable. In any case it has
 * a time.
 */
public final class LogEntriesFuzz {

  /** Redis writes no other ids. */
  private static final Pattern ID = Pattern.compile("[0-9]{1,19}-[0-9]{1,19}");

  private static final String USUAL_ID = "1777626000123-0";
  private static final Partition PARTITION = new Partition(7);

  private LogEntriesFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) throws UnreadableEntryException {
    var lines = new String(input, UTF_8).split("\n", -1);
    var id = ID.matcher(lines[0]).matches() ? lines[0] : USUAL_ID;
    Map<String, String> fields = new HashMap<>();
    for (int i = 1; i < lines.length; i++) {
      var field = lines[i].split("=", 2);
      fields.put(field[0], field.length == 2 ? field[1] : "");
    }
    assertThat(LogEntries.writtenAt(id, fields)).isNotNull();
    HandoffEntry entry;
    try {
      entry = LogEntries.read(PARTITION, id, fields);
    } catch (UnreadableEntryException e) {
      assertThat(e).hasNoCause();
      assertThat(e.reason()).isNotBlank();
      return;
    }
    assertThat(LogEntries.read(PARTITION, id, written(entry))).isEqualTo(entry);
  }

  /** The fields that claim.lua would have written. */
  private static Map<String, String> written(HandoffEntry entry) {
    return Map.of(
        "v",
        "1",
        "epoch",
        entry.reference().epoch().toString(),
        "coupon",
        entry.couponId().value(),
        "at",
        Long.toString(entry.acceptedAt().toEpochMilli()),
        "claims",
        entry.claims().stream()
            .map(claim -> claim.userId() + " " + claim.slot())
            .collect(Collectors.joining(" ")));
  }
}
