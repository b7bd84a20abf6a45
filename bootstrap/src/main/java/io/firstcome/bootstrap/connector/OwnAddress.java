package io.firstcome.bootstrap.connector;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Where this instance listens, for requests that it sends to itself. */
@Component
public final class OwnAddress {

  private final ServerProperties server;
  private final Environment environment;

  OwnAddress(ServerProperties server, Environment environment) {
    this.server = server;
    this.environment = environment;
  }

  /** Whether it listens with TLS. It may not trust its own certificate then. */
  public boolean hasTls() {
    return server.getSsl() != null && server.getSsl().isEnabled();
  }

  /**
   * The address of a path, once the web server listens.
   *
   * @param path from its root
   */
  public URI of(String path) {
    var address = server.getAddress();
    var host =
        address == null || address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
    int port = environment.getRequiredProperty("local.server.port", Integer.class);
    try {
      return new URI("http", null, host.getHostAddress(), port, path, null, null);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("not the address of the service", e);
    }
  }
}
