package io.firstcome.bootstrap.webhook;

import java.net.UnknownHostException;

/** A name has an address that must not be called. */
final class RefusedAddressException extends UnknownHostException {

  private static final long serialVersionUID = 1L;

  RefusedAddressException() {
    super("the host has an address that is not allowed");
  }
}
