package io.firstcome.devservices.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.function.BiFunction;

/**
 * The HTTP server of a running {@code up} for {@code ./firstcome restart} and {@code rehearse
 * --with-faults}. It listens on loopback and requires the token from the control file.
 */
final class ControlServer implements AutoCloseable {

  private static final int TOKEN_BYTES = 16;
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int FAILED = 500;

  private final HttpServer server;
  private final String token;
  private final BiFunction<Part, Ending, String> restart;

  private ControlServer(HttpServer server, String token, BiFunction<Part, Ending, String> restart) {
    this.server = server;
    this.token = token;
    this.restart = restart;
  }

  /**
   * @param restart ends the part, starts it again, and returns the line to show
   */
  static ControlServer start(BiFunction<Part, Ending, String> restart) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      byte[] random = new byte[TOKEN_BYTES];
      new SecureRandom().nextBytes(random);
      ControlServer control = new ControlServer(server, HexFormat.of().formatHex(random), restart);
      for (var ending : Ending.values()) {
        server.createContext(ending.path(), exchange -> control.handle(exchange, ending));
      }
      // Requests are handled on the server's only thread: one restart at a time.
      server.start();
      return control;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the control file. */
  void announce(Home home) {
    new ControlFile(server.getAddress().getPort(), token).write(home);
  }

  private void handle(HttpExchange exchange, Ending ending) throws IOException {
    try (exchange) {
      String given = String.valueOf(exchange.getRequestHeaders().getFirst(ControlFile.HEADER));
      if (!MessageDigest.isEqual(given.getBytes(UTF_8), token.getBytes(UTF_8))) {
        answer(exchange, FORBIDDEN, "wrong token");
        return;
      }
      String name = exchange.getRequestURI().getPath().substring(ending.path().length());
      var part = Part.named(name);
      if (part.isEmpty()) {
        answer(exchange, NOT_FOUND, "no such part: " + name);
        return;
      }
      try {
        answer(exchange, OK, restart.apply(part.get(), ending));
      } catch (RuntimeException e) {
        answer(exchange, FAILED, String.valueOf(e.getMessage()));
      }
    }
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
