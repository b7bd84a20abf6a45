package io.firstcome.bootstrap.rest;

import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/**
 * Makes Spring read only the parameters that the constructor of a record declares. By default it
 * then tries to set a property for each parameter of the request, whatever its name, and one such
 * as {@code users[0]} is an error that nobody has made.
 */
@ControllerAdvice
class DeclaredParameters {

  @InitBinder
  void bindDeclaredOnly(WebDataBinder binder) {
    binder.setDeclarativeBinding(true);
  }
}
