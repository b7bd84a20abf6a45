package io.firstcome.bootstrap.problem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.AbstractProtocol;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/**
 * Answers requests that Tomcat rejects before they reach the application, such as one whose path
 * cannot be decoded, with a problem. Tomcat creates the valve by its class name.
 */
public final class ProblemReportValve extends ErrorReportValve {

  private static final String BODY =
      """
      {"type":"urn:firstcome:problem:%s","title":"%s","status":%d,"detail":"%s","requestId":"%s"}\
      """;

  @Override
  protected void report(Request request, Response response, @Nullable Throwable throwable) {
    int code = response.getStatus();
    if (code < HttpStatus.BAD_REQUEST.value()
        || response.getContentWritten() > 0
        || !response.setErrorReported()) {
      return;
    }
    try {
      if (isRefusedByTheStop(request, code)) {
        int unavailable = HttpStatus.SERVICE_UNAVAILABLE.value();
        response.setStatus(unavailable);
        response.setHeader(HttpHeaders.RETRY_AFTER, "1");
        write(
            response,
            BODY.formatted(
                "overloaded",
                "Overloaded",
                unavailable,
                "This instance is being stopped; nothing happened.",
                RequestIds.of(request)));
      } else {
        write(response, body(request, code));
      }
    } catch (IOException e) {
      // The client has closed the connection.
      container.getLogger().debug("an error could not be reported", e);
    }
  }

  /**
   * Whether the connector was paused, as at the start of a graceful stop, right after it had read
   * the request line. Tomcat's HTTP/1.1 processor sets 503 then and does not read the headers; and
   * replaces 503 by 400, since it finds no Host header ({@code Http11Processor.service} and {@code
   * prepareRequest}, as of 11.0.24). A client must not take that for a fault of its request.
   */
  private static boolean isRefusedByTheStop(Request request, int code) {
    return code == HttpStatus.BAD_REQUEST.value()
        && request.getHeader(HttpHeaders.HOST) == null
        && request.getConnector().getProtocolHandler() instanceof AbstractProtocol<?> protocol
        && protocol.isPaused();
  }

  private static String body(Request request, int code) {
    var status = HttpStatus.resolve(code);
    boolean ofClient = status == null || Problem.isOfClient(status);
    return BODY.formatted(
        ofClient ? "malformed-request" : "internal-error",
        status == null ? "Refused" : status.getReasonPhrase(),
        code,
        ofClient
            ? "The request cannot be understood; nothing happened."
            : "An unexpected error occurred and was logged.",
        RequestIds.of(request));
  }

  private static void write(Response response, String body) throws IOException {
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    response.setCharacterEncoding(StandardCharsets.UTF_8);
    var writer = response.getReporter();
    if (writer != null) {
      writer.write(body);
      response.finishResponse();
    }
  }
}
