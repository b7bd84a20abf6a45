package io.firstcome.bootstrap.connector;

import java.util.Set;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Tomcat's HTTP/1.1 connector, with access to its connections for {@link ConnectionReaper}. Tomcat
 * creates it by its class name.
 */
public final class ReapedProtocol extends Http11NioProtocol {

  public ReapedProtocol() {
    super(new Endpoint());
  }

  private static final class Endpoint extends NioEndpoint {

    @Override
    protected NioChannel createChannel(SocketBufferHandler buffers) {
      return isSSLEnabled() ? new TlsChannel(buffers, this) : super.createChannel(buffers);
    }
  }

  /** A connection with TLS. Its state may be read with the lock of the connection only. */
  static final class TlsChannel extends SecureNioChannel {

    TlsChannel(SocketBufferHandler buffers, NioEndpoint endpoint) {
      super(buffers, endpoint);
    }

    /**
     * Whether the client has yet to finish its handshake, or has sent only a part of a record. What
     * is in a record can be read only when it is complete.
     */
    boolean isIncomplete() {
      return !isHandshakeComplete() || netInBuffer.position() > 0;
    }
  }

  /** The connections that are open now. */
  Set<SocketWrapperBase<NioChannel>> connections() {
    return getEndpoint().getConnections();
  }
}
