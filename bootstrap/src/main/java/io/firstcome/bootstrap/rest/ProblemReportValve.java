package io.firstcome.bootstrap.rest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/**
 * Makes a problem of what Tomcat refuses before the request reaches the application, such as a path
 * that cannot be decoded. Tomcat makes the valve by its class name.
 */
public final class ProblemReportValve extends ErrorReportValve {

  @Override
  protected void report(Request request, Response response, @Nullable Throwable throwable) {
    int code = response.getStatus();
    if (code < HttpStatus.BAD_REQUEST.value()
        || response.getContentWritten() > 0
        || !response.setErrorReported()) {
      return;
    }
    var status = HttpStatus.resolve(code);
    try {
      response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
      response.setCharacterEncoding(StandardCharsets.UTF_8);
      var writer = response.getReporter();
      if (writer != null) {
        writer.write(
            """
            {"type":"urn:firstcome:problem:%s","title":"%s","status":%d,"detail":"%s"}\
            """
                .formatted(
                    code < 500 ? "malformed-request" : "internal-error",
                    status == null ? "Refused" : status.getReasonPhrase(),
                    code,
                    code < 500
                        ? "The request cannot be understood; nothing happened."
                        : "Something went wrong here, and was noted."));
        response.finishResponse();
      }
    } catch (IOException e) {
      // The client has gone; there is nobody to tell.
      container.getLogger().debug("an error could not be reported", e);
    }
  }
}
