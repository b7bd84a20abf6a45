package io.firstcome.devservices.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;

/** The code key of a development service: random, and kept with its data. */
final class CodeKey {

  private static final int BYTES = 32;
  private static final String FILE = "code-key-1";

  private CodeKey() {}

  /** The key of the folder in Base64, made at the first call; only the owner may read the file. */
  static String in(Path folder) {
    Path file = folder.resolve(FILE);
    try {
      if (!Files.exists(file)) {
        byte[] key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        Path unfinished = folder.resolve(FILE + ".new");
        Files.deleteIfExists(unfinished);
        Files.createFile(
            unfinished,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(unfinished, Base64.getEncoder().encodeToString(key));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
