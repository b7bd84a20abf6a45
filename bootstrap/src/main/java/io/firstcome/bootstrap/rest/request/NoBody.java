package io.firstcome.bootstrap.rest.request;

import io.firstcome.bootstrap.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/** Rejects a body: a client that sends one expects what the call does not do. */
public final class NoBody {

  private NoBody() {}

  /**
   * Checks that the request has no body.
   *
   * @param detail of the problem
   * @throws Problem {@code malformed-request} if it has one
   */
  public static void require(HttpServletRequest request, String detail) throws IOException {
    boolean chunked = request.getHeader("Transfer-Encoding") != null;
    if (request.getContentLengthLong() > 0 || (chunked && request.getInputStream().read() >= 0)) {
      throw Problem.malformed(detail);
    }
  }
}
