package io.firstcome.bootstrap.connector;

import io.firstcome.bootstrap.wiring.HttpLimits;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterProperties;
import org.springframework.core.annotation.Order;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * Reads the body of an authenticated request as a whole before anything else is done with it. So a
 * slow client occupies nothing but its connection, which {@link ConnectionReaper} closes after a
 * while. Bodies of other requests are not read at all.
 *
 * <p>A body that is too long is refused (413), and so is one that is not UTF-8 without a byte order
 * mark (400): JSON must be encoded like that (RFC 8259, section 8.1). A type that is none is
 * refused too (415).
 */
@Component
@Order(SecurityFilterProperties.DEFAULT_FILTER_ORDER + 1)
class BodyFilter extends RequestFilter {

  /** Far above any valid request, in bytes. */
  private static final int MAX_BYTES = 65_536;

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final BodyReads reads;
  private final int mostReads;

  BodyFilter(BodyReads reads, HttpLimits limits) {
    this.reads = reads;
    this.mostReads = 2 * limits.incompleteRequests();
  }

  private static boolean hasBody(HttpServletRequest request) {
    return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
  }

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!isConcrete(request.getContentType())) {
      response.sendError(HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE);
      return;
    }
    if (!hasBody(request)) {
      chain.doFilter(request, response);
      return;
    }
    if (request.getContentLengthLong() > MAX_BYTES) {
      response.sendError(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
      return;
    }
    if (reads.count() >= mostReads) {
      // Tomcat skips the rest of the body; the reaper ends that if the client is slow.
      response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      return;
    }
    byte[] body;
    try (var _ = reads.begin(request.getServletConnection())) {
      body = request.getInputStream().readNBytes(MAX_BYTES + 1);
    }
    if (body.length > MAX_BYTES) {
      response.sendError(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
    } else if (isText(body)) {
      chain.doFilter(new BufferedRequest(request, body), response);
    } else {
      response.sendError(HttpServletResponse.SC_BAD_REQUEST);
    }
  }

  /** Spring answers 500 if the type of a body is a range, such as any type (as of 7.0.9). */
  private static boolean isConcrete(@Nullable String contentType) {
    try {
      return contentType == null || MediaType.parseMediaType(contentType).isConcrete();
    } catch (InvalidMediaTypeException e) {
      return false;
    }
  }

  /** Whether the bytes are UTF-8; UTF-16 and UTF-32 have zero bytes in any JSON text. */
  private static boolean isText(byte[] body) {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      return text.indexOf('\0') < 0 && !text.startsWith(BYTE_ORDER_MARK);
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static final class BufferedRequest extends HttpServletRequestWrapper {

    private final byte[] body;

    BufferedRequest(HttpServletRequest request, byte[] body) {
      super(request);
      this.body = body;
    }

    @Override
    public ServletInputStream getInputStream() {
      return new BufferedInput(new ByteArrayInputStream(body));
    }

    @Override
    public BufferedReader getReader() {
      return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }
  }

  private static final class BufferedInput extends ServletInputStream {

    private final ByteArrayInputStream bytes;

    BufferedInput(ByteArrayInputStream bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      return bytes.read(buffer, offset, length);
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException("the body is read already");
    }
  }
}
