package io.firstcome.systemtests.kit;

import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.service.HttpAnswer;
import io.firstcome.systemtests.kit.CertificateAuthority.Certificate;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** A client that connects with TLS to instances on this machine. */
public final class TlsClient {

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(40);

  private final SSLContext context;

  private TlsClient(CertificateAuthority trusted, KeyManager @Nullable [] own) {
    try {
      var trust = KeyStore.getInstance("PKCS12");
      trust.load(null, null);
      trust.setCertificateEntry("authority", certificate(trusted.certificate()));
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trust);
      context = SSLContext.getInstance("TLS");
      context.init(own, managers.getTrustManagers(), null);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A client without a certificate. */
  public static TlsClient without(CertificateAuthority trusted) {
    return new TlsClient(trusted, null);
  }

  /** A client that presents the certificate to every server, whatever authorities it accepts. */
  public static TlsClient with(CertificateAuthority trusted, Certificate own) {
    return new TlsClient(trusted, new KeyManager[] {new OnlyCertificate(own)});
  }

  private static X509Certificate certificate(Path pem) throws GeneralSecurityException {
    try (var in = Files.newInputStream(pem)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends one request on a connection of its own.
   *
   * @throws UncheckedIOException if the server ends the connection without an answer
   */
  public Answer send(int port, Call call) {
    try (var raw = open(port);
        var socket = handshake(raw)) {
      socket.getOutputStream().write(call.bytes());
      return Answer.of(HttpAnswer.read(new BufferedInputStream(socket.getInputStream())));
    } catch (IOException e) {
      throw new UncheckedIOException("no answer to " + call, e);
    }
  }

  /** A connection on which nothing was sent yet. */
  public static Socket open(int port) throws IOException {
    var socket = new Socket(Ports.loopback(), port);
    socket.setSoTimeout((int) ANSWER_LIMIT.toMillis());
    return socket;
  }

  /** Makes the handshake on an open connection. */
  public SSLSocket handshake(Socket open) throws IOException {
    var socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(open, Ports.loopback().getHostAddress(), open.getPort(), true);
    socket.startHandshake();
    return socket;
  }

  private static final class OnlyCertificate extends X509ExtendedKeyManager {

    private static final String ALIAS = "own";

    private final X509Certificate certificate;
    private final PrivateKey key;

    OnlyCertificate(Certificate own) {
      try {
        certificate = certificate(own.file());
        var pem = Files.readString(own.key()).replaceAll("-----[^-]*-----", "");
        key =
            KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
      } catch (GeneralSecurityException | IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return ALIAS;
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal[] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return new X509Certificate[] {certificate};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return key;
    }
  }
}
