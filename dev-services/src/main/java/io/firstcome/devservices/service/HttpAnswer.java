package io.firstcome.devservices.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * An HTTP/1.1 answer of the service.
 *
 * @param headers by header name in lower case; the values of a repeated one with commas between
 *     them
 */
public record HttpAnswer(int status, Map<String, String> headers, String body) {

  private static final int BODY_BYTES_MAX = 1_000_000;
  private static final int LINE_BYTES_MAX = 16_384;

  public HttpAnswer {
    headers = Map.copyOf(headers);
  }

  /**
   * Reads one answer, and nothing behind it.
   *
   * @throws EOFException if the stream ends before the answer does
   * @throws IOException if the answer is longer than any answer of the service
   */
  public static HttpAnswer read(InputStream in) throws IOException {
    int status = Integer.parseInt(line(in).split(" ", 3)[1]);
    Map<String, String> headers = new HashMap<>();
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.merge(
          header.substring(0, colon).toLowerCase(Locale.ROOT),
          header.substring(colon + 1).strip(),
          (first, second) -> first + ", " + second);
    }
    boolean chunked = headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked");
    byte[] body =
        chunked
            ? chunks(in)
            : bytes(in, Long.parseLong(headers.getOrDefault("content-length", "0")));
    return new HttpAnswer(status, headers, new String(body, UTF_8));
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (long size = chunkSize(in); size > 0; size = chunkSize(in)) {
      body.writeBytes(bytes(in, size));
      line(in);
    }
    line(in);
    return body.toByteArray();
  }

  private static long chunkSize(InputStream in) throws IOException {
    return Long.parseLong(line(in).strip(), 16);
  }

  private static byte[] bytes(InputStream in, long length) throws IOException {
    if (length > BODY_BYTES_MAX) {
      throw new IOException("answer too long: %d bytes".formatted(length));
    }
    byte[] bytes = in.readNBytes((int) length);
    if (bytes.length < length) {
      throw new EOFException("the connection ended inside an answer");
    }
    return bytes;
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the connection ended inside an answer");
      }
      if (line.size() > LINE_BYTES_MAX) {
        throw new IOException("a line of the answer is too long");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(ISO_8859_1);
  }
}
