package io.firstcome.bootstrap.retention;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.firstcome.domain.port.ExportFailedException;
import io.firstcome.domain.port.RetentionExport;
import io.firstcome.domain.retention.ExportPart;
import io.firstcome.domain.retention.ExportedUserCoupon;
import io.firstcome.domain.retention.RejectedClaim;
import io.firstcome.domain.usercoupon.UserCoupon;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes each part into a file of its own, in a folder for each coupon: one JSON object a line,
 * compressed with gzip.
 *
 * <p>A file gets its name when all of it is on disk. The name depends on the rows, so that a part
 * that is exported again replaces only itself. Only the service's user can read it.
 */
final class FileExport implements RetentionExport {

  private static final int HASH_BYTES = 8;

  private final Path directory;
  private final JsonMapper json;

  FileExport(Path directory, JsonMapper json) {
    this.directory = directory;
    this.json = json;
  }

  /** The line of a rejected claim. */
  record RejectedClaimLine(String userId, String rejectedAt) {

    static RejectedClaimLine of(RejectedClaim claim) {
      return new RejectedClaimLine(claim.userId().value(), claim.rejectedAt().toString());
    }
  }

  @Override
  public void store(ExportPart part) {
    var folder = directory.resolve(part.couponId().value());
    try {
      requireDirectory();
      Files.createDirectories(folder);
      switch (part) {
        case ExportPart.UserCoupons(_, var items) ->
            write(folder, name(items), items.stream().map(UserCouponLine::of).toList());
        case ExportPart.RejectedClaims(_, var items) ->
            write(
                folder, nameOfRejected(items), items.stream().map(RejectedClaimLine::of).toList());
      }
    } catch (IOException e) {
      throw new ExportFailedException("cannot write to " + folder, e);
    }
  }

  /** A new directory would not be the shared one, for example while that is not mounted. */
  private void requireDirectory() throws NotDirectoryException {
    if (!Files.isDirectory(directory)) {
      throw new NotDirectoryException(directory.toString());
    }
  }

  private static String name(List<ExportedUserCoupon> items) {
    var first = items.getFirst().userCoupon();
    return first.slotWentBack()
        ? "returned-%s-%s"
            .formatted(slotAndGeneration(first), slotAndGeneration(items.getLast().userCoupon()))
        : "user-coupons-%s-%s".formatted(slot(first), slot(items.getLast().userCoupon()));
  }

  private static String slotAndGeneration(UserCoupon userCoupon) {
    return "%s.%d".formatted(slot(userCoupon), userCoupon.ownership().generation());
  }

  private static String slot(UserCoupon userCoupon) {
    return "%09d".formatted(userCoupon.slot().number());
  }

  /** By a hash of the users, as a user id is too long for a name and can have any character. */
  private static String nameOfRejected(List<RejectedClaim> items) {
    var hash = sha256();
    items.forEach(claim -> hash.update((claim.userId() + "\n").getBytes(UTF_8)));
    return "rejected-claims-" + HexFormat.of().formatHex(hash.digest(), 0, HASH_BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private void write(Path folder, String name, List<?> lines) throws IOException {
    var incomplete = Files.createTempFile(folder, name, ".incomplete");
    try {
      try (var file = FileChannel.open(incomplete, StandardOpenOption.WRITE);
          var compressed = new GZIPOutputStream(Channels.newOutputStream(file))) {
        for (var line : lines) {
          compressed.write(json.writeValueAsBytes(line));
          compressed.write('\n');
        }
        compressed.finish();
        file.force(true);
      }
      Files.move(incomplete, folder.resolve(name + ".jsonl.gz"), StandardCopyOption.ATOMIC_MOVE);
      // Makes the name durable, and that of the folder.
      sync(folder);
      sync(directory);
    } finally {
      Files.deleteIfExists(incomplete);
    }
  }

  private static void sync(Path folder) throws IOException {
    try (var opened = FileChannel.open(folder, StandardOpenOption.READ)) {
      opened.force(true);
    }
  }
}
