package io.firstcome.bootstrap.connector;

import io.firstcome.bootstrap.wiring.HttpLimits;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * Reads bodies as a whole before anything else is done with them. So a slow client occupies nothing
 * but its connection, which {@link ConnectionReaper} closes after a while.
 *
 * <p>A body that is too long is refused (413), and so is one that is not UTF-8 without a byte order
 * mark (400): JSON must be encoded like that (RFC 8259, section 8.1). A type that is none is
 * refused too (415).
 */
@Component
class RequestBodies {

  /** Far above any valid request, in bytes. */
  private static final int MAX_BYTES = 65_536;

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final BodyReads reads;
  private final int mostReads;

  RequestBodies(BodyReads reads, HttpLimits limits) {
    this.reads = reads;
    this.mostReads = 2 * limits.incompleteRequests();
  }

  /** What was read. */
  sealed interface Reading {

    /** The request has no body. */
    record None() implements Reading {}

    /** The request was answered. */
    record Refused() implements Reading {}

    /** The body, which is UTF-8. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Body(byte[] bytes) implements Reading {}
  }

  /** Reads the body of a request, or answers it if the body is refused. */
  Reading read(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (!isConcrete(request.getContentType())) {
      return refused(response, HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE);
    }
    if (!hasBody(request)) {
      return new Reading.None();
    }
    if (request.getContentLengthLong() > MAX_BYTES) {
      return refused(response, HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
    }
    if (reads.count() >= mostReads) {
      // Tomcat skips the rest of the body; the reaper ends that if the client is slow.
      return refused(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    }
    byte[] body;
    try (var _ = reads.begin(request.getServletConnection())) {
      body = request.getInputStream().readNBytes(MAX_BYTES + 1);
    }
    if (body.length > MAX_BYTES) {
      return refused(response, HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
    }
    return isText(body)
        ? new Reading.Body(body)
        : refused(response, HttpServletResponse.SC_BAD_REQUEST);
  }

  private static Reading refused(HttpServletResponse response, int status) throws IOException {
    response.sendError(status);
    return new Reading.Refused();
  }

  private static boolean hasBody(HttpServletRequest request) {
    return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
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
}
