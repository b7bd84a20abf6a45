package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.zip.CRC32;

/** Claim messages that the service has not sent. */
public final class ClaimMessages {

  private static final int PARTITIONS = 4;

  private ClaimMessages() {}

  /** A claim of an earlier epoch that is in no log and no ledger, as the service would send it. */
  public static String authentic(World world, String couponId, String user) {
    return world.seals().seal(unsigned(couponId, user));
  }

  /** The same, without what shows that the service has made it. */
  public static String unsigned(String couponId, String user) {
    var crc = new CRC32();
    crc.update(couponId.getBytes(UTF_8));
    return """
    {"version": 1, "partition": %d, "entryId": "1777626000123-0", "epoch": 0,
     "couponId": "%s", "acceptedAt": "2026-05-01T09:00:00.123Z",
     "claims": [{"userId": "%s", "slot": 1}]}
    """
        .formatted(crc.getValue() % PARTITIONS, couponId, user);
  }
}
