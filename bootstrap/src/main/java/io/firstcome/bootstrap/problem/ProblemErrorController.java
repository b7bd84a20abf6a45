package io.firstcome.bootstrap.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers requests that the servlet container rejects before a controller with a problem. */
@RestController
class ProblemErrorController implements ErrorController {

  @RequestMapping("${spring.web.error.path:/error}")
  @Nullable ResponseEntity<Object> error(HttpServletRequest request, HttpServletResponse response) {
    if (response.isCommitted()) {
      // Behind the part of the answer that was sent, a problem would look like more of it.
      return null;
    }
    var status =
        request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code
            ? HttpStatus.resolve(code)
            : null;
    var problem = Problem.ofStatus(status == null ? HttpStatus.NOT_FOUND : status);
    if (request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String path) {
      problem.at(path);
    }
    return problem.toResponse();
  }
}
