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
    issue(name, "/CN=" + name, List.of("-addext", "basicConstraints=critical,CA:TRUE"));
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
    return issue(server, "/CN=server", "subjectAltName=" + server);
  }

  /**
   * Issues a certificate for a client.
   *
   * @param subject such as {@code /O=Example/CN=name}
   */
  public Certificate issueToClient(String subject) {
    return issue(subject, subject, "extendedKeyUsage=clientAuth");
  }

  private Certificate issue(String label, String subject, String extension) {
    var file = name + "-" + label.replaceAll("[^A-Za-z0-9.]", "-");
    issue(
        file,
        subject,
        List.of(
            "-CA", certificate().toString(), "-CAkey", key(name).toString(), "-addext", extension));
    return new Certificate(file(file), key(file));
  }

  private Path file(String of) {
    return folder.resolve(of + ".pem");
  }

  private Path key(String of) {
    return folder.resolve(of + ".key");
  }

  private void issue(String file, String subject, List<String> options) {
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
                subject,
                "-keyout",
                key(file).toString(),
                "-out",
                file(file).toString()));
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
