package io.firstcome.systemtests.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A certificate authority of a test; needs the program {@code openssl}, version 3. */
public final class CertificateAuthority {

  private static final long OPENSSL_LIMIT_SECONDS = 20;

  private final Path folder;
  private final String name;

  /** Creates its key and its certificate, which are kept in the folder under its name. */
  public CertificateAuthority(Path folder, String name) {
    this.folder = folder;
    this.name = name;
    issue(name, List.of("-addext", "basicConstraints=critical,CA:TRUE"));
  }

  /** A certificate in PEM and its key, which is not encrypted. */
  public record Certificate(Path file, Path key) {}

  /** Its own certificate, in PEM. */
  public Path certificate() {
    return file(name);
  }

  /**
   * Issues a certificate for a server.
   *
   * @param server what it is valid for, as {@code IP:127.0.0.1} or {@code DNS:example.com}
   */
  public Certificate issue(String server) {
    var file = name + "-" + server.replaceAll("[^A-Za-z0-9.]", "-");
    issue(
        file,
        List.of(
            "-CA",
            certificate().toString(),
            "-CAkey",
            key(name).toString(),
            "-addext",
            "subjectAltName=" + server));
    return new Certificate(file(file), key(file));
  }

  private Path file(String of) {
    return folder.resolve(of + ".pem");
  }

  private Path key(String of) {
    return folder.resolve(of + ".key");
  }

  private void issue(String subject, List<String> options) {
    var words =
        new ArrayList<>(
            List.of(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "1",
                "-subj",
                "/CN=" + subject,
                "-keyout",
                key(subject).toString(),
                "-out",
                file(subject).toString()));
    words.addAll(options);
    try {
      var log = folder.resolve("openssl.log");
      var openssl =
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
              .start();
      if (!openssl.waitFor(OPENSSL_LIMIT_SECONDS, TimeUnit.SECONDS) || openssl.exitValue() != 0) {
        openssl.destroyForcibly();
        throw new IllegalStateException("openssl failed: " + Files.readString(log));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while openssl ran", e);
    }
  }
}
