package io.firstcome.devservices.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Supplier;

/** Secrets of a development service, each in a file that only its owner may read. */
final class SecretFile {

  private SecretFile() {}

  /** The secret in the file; it is made at the first call. */
  static String in(Path folder, String name, Supplier<String> secret) {
    Path file = folder.resolve(name);
    try {
      if (!Files.exists(file)) {
        Path unfinished = folder.resolve(name + ".new");
        Files.deleteIfExists(unfinished);
        Files.createFile(
            unfinished,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(unfinished, secret.get());
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
