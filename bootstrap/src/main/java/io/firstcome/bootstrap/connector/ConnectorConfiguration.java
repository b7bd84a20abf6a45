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

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> slowConnectionsAreClosed(
      ConnectionReaper reaper, MaxConnections connections) {
    return factory -> {
      factory.setProtocol(ReapedProtocol.class.getName());
      factory.addConnectorCustomizers(connector -> {
        var protocol = reaped(connector.getProtocolHandler());
        protocol.setMaxConnections(connections.number());
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
