package io.firstcome.bootstrap.connector;

import io.firstcome.bootstrap.wiring.MaxConnections;
import org.apache.coyote.ProtocolHandler;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes Tomcat use the connector whose slow connections are closed. */
@Configuration(proxyBeanMethods = false)
class ConnectorConfiguration {

  /**
   * Bytes, of each connection. A write waits for the client until about a third of this is sent, at
   * most as long as a read: with the buffers of several MB that Linux makes, a download by a slow
   * client would end.
   */
  private static final int SEND_BUFFER = 256 * 1024;

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> slowConnectionsAreClosed(
      ConnectionReaper reaper, MaxConnections connections) {
    return factory -> {
      factory.setProtocol(ReapedProtocol.class.getName());
      factory.addConnectorCustomizers(connector -> {
        var protocol = reaped(connector.getProtocolHandler());
        protocol.setMaxConnections(connections.number());
        protocol.setProperty("socket.txBufSize", Integer.toString(SEND_BUFFER));
        reaper.watch(protocol);
      });
    };
  }

  private static ReapedProtocol reaped(ProtocolHandler handler) {
    if (handler instanceof ReapedProtocol protocol) {
      return protocol;
    }
    throw new IllegalStateException("another protocol was set: " + handler);
  }
}
