package io.firstcome.bootstrap.rest;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Makes a problem of what the servlet container refuses before it reaches a controller. */
@RestController
class ProblemErrorController implements ErrorController {

  @RequestMapping("${spring.web.error.path:/error}")
  ResponseEntity<Object> error(HttpServletRequest request) {
    var status =
        request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code
            ? HttpStatus.resolve(code)
            : null;
    return Problem.ofStatus(status == null ? HttpStatus.NOT_FOUND : status).toResponse();
  }
}
