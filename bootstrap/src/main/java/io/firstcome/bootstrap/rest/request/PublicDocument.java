package io.firstcome.bootstrap.rest.request;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.DigestUtils;
import org.springframework.web.context.request.ServletWebRequest;
import tools.jackson.databind.json.JsonMapper;

/**
 * A JSON document that is the same for everybody, and that clients and caches may reuse for a
 * second.
 *
 * @param json the representation
 * @param etag its weak entity tag (RFC 9110, 8.8.3)
 */
@SuppressWarnings("ArrayRecordComponent") // Written to responses, and never compared.
public record PublicDocument(byte[] json, String etag) {

  /** How long a document may be reused. */
  public static final Duration MAX_AGE = Duration.ofSeconds(1);

  /** The header of such an answer. */
  public static final String CACHE_CONTROL = "max-age=" + MAX_AGE.toSeconds();

  /**
   * A document.
   *
   * @param content what the document contains
   * @param tagged the same without what does not change its tag
   */
  public static PublicDocument of(Object content, Object tagged, JsonMapper mapper) {
    var hash = DigestUtils.md5DigestAsHex(mapper.writeValueAsBytes(tagged));
    return new PublicDocument(mapper.writeValueAsBytes(content), "W/\"" + hash + '"');
  }

  /** Answers with the document, or with 304 if the client has it. */
  public void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
    // Replaces the default of all answers.
    response.setHeader(HttpHeaders.CACHE_CONTROL, CACHE_CONTROL);
    if (new ServletWebRequest(request, response).checkNotModified(etag)) {
      return;
    }
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    response.setContentLength(json.length);
    response.getOutputStream().write(json);
  }
}
