package io.firstcome.bootstrap.rest;

import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/**
 * Makes Spring read only the parameters that the constructor of a record declares. By default it
 * also tries to set a property for each other parameter of the request, and for a name such as
 * {@code users[0]} that fails with an unexpected error.
 */
@ControllerAdvice
class DeclaredParameters {

  @InitBinder
  void bindDeclaredOnly(WebDataBinder binder) {
    binder.setDeclarativeBinding(true);
  }
}
