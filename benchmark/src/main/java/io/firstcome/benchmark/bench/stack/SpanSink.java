package io.firstcome.benchmark.bench.stack;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A collector of traces that accepts all and keeps nothing. */
final class SpanSink implements AutoCloseable {

  private static final String PATH = "/v1/traces";
  private static final int OK = 200;
  private static final int NO_BODY = -1;

  private final HttpServer server;

  private SpanSink(HttpServer server) {
    this.server = server;
  }

  static SpanSink start() {
    try {
      var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(PATH, SpanSink::discard);
      server.start();
      return new SpanSink(server);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void discard(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
      exchange.sendResponseHeaders(OK, NO_BODY);
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + PATH;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
