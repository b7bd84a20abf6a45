package io.firstcome.bootstrap.rest.page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.util.DigestUtils;
import org.springframework.web.context.request.ServletWebRequest;

/**
 * A file of the page, which browsers and caches may reuse for a minute.
 *
 * @param etag its entity tag (RFC 9110, 8.8.3)
 */
@SuppressWarnings("ArrayRecordComponent") // Written to responses, and never compared.
public record PageFile(byte[] content, String type, String etag) {

  private static final Duration MAX_AGE = Duration.ofMinutes(1);

  public static PageFile of(byte[] content, String type) {
    return new PageFile(content, type, '"' + DigestUtils.md5DigestAsHex(content) + '"');
  }

  /** Answers with the file, or with 304 if the client has it. */
  public void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
    // Replaces the default of all answers.
    response.setHeader(HttpHeaders.CACHE_CONTROL, "public, max-age=" + MAX_AGE.toSeconds());
    if (new ServletWebRequest(request, response).checkNotModified(etag)) {
      return;
    }
    response.setContentType(type);
    response.setContentLength(content.length);
    response.getOutputStream().write(content);
  }
}
