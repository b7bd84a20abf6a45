package io.firstcome.devservices.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** A minimal RESP 2 client for checks: one Redis command and its reply. */
final class Resp {

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private Resp() {}

  static String command(String host, int port, String... words) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), (int) TIMEOUT.toMillis());
      socket.setSoTimeout((int) TIMEOUT.toMillis());
      socket.getOutputStream().write(encode(words));
      return read(new BufferedInputStream(socket.getInputStream()));
    } catch (IOException e) {
      throw new IllegalStateException(
          "Redis at %s:%d did not reply to %s".formatted(host, port, words[0]), e);
    }
  }

  private static byte[] encode(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("*%d\r\n".formatted(words.length).getBytes(UTF_8));
    for (String word : words) {
      byte[] bytes = word.getBytes(UTF_8);
      out.writeBytes("$%d\r\n".formatted(bytes.length).getBytes(UTF_8));
      out.writeBytes(bytes);
      out.writeBytes("\r\n".getBytes(UTF_8));
    }
    return out.toByteArray();
  }

  private static String read(InputStream in) throws IOException {
    String head = line(in);
    String rest = head.substring(1);
    return switch (head.charAt(0)) {
      case '+', ':' -> rest;
      case '-' -> throw new IllegalStateException("Redis replied with an error: " + rest);
      case '$' -> bulk(in, Integer.parseInt(rest));
      case '*' -> array(in, Integer.parseInt(rest));
      default -> throw new IllegalStateException("not RESP: '%s'".formatted(head));
    };
  }

  private static String bulk(InputStream in, int length) throws IOException {
    if (length < 0) {
      return "";
    }
    String text = new String(in.readNBytes(length), UTF_8);
    in.skipNBytes(2);
    return text;
  }

  private static String array(InputStream in, int size) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < size; i++) {
      lines.append(i == 0 ? "" : "\n").append(read(in));
    }
    return lines.toString();
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the connection ended inside a reply");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    if (line.size() == 0) {
      throw new EOFException("empty line instead of a reply");
    }
    return line.toString(UTF_8);
  }
}
