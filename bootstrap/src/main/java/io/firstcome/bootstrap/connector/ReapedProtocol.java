package io.firstcome.bootstrap.connector;

import java.util.Set;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Tomcat's HTTP/1.1 connector, with access to its connections for {@link ConnectionReaper}. Tomcat
 * creates it by its class name.
 */
public final class ReapedProtocol extends Http11NioProtocol {

  /** The connections that are open now. */
  Set<SocketWrapperBase<NioChannel>> connections() {
    return getEndpoint().getConnections();
  }
}
