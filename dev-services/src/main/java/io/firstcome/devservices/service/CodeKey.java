package io.firstcome.devservices.service;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;

/** The code key of a development service: random, and kept with its data. */
final class CodeKey {

  private static final int BYTES = 32;

  private CodeKey() {}

  /** The key of the folder in Base64. */
  static String in(Path folder) {
    return SecretFile.in(folder, "code-key-1", CodeKey::random);
  }

  private static String random() {
    byte[] key = new byte[BYTES];
    new SecureRandom().nextBytes(key);
    return Base64.getEncoder().encodeToString(key);
  }
}
