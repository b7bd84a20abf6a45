package io.firstcome.systemtests.kit;

/**
 * An operation of the API.
 *
 * @param path with variables in braces
 * @param needed the scope, or {@code any user}
 */
public record Operation(String method, String path, String needed) {

  @Override
  public String toString() {
    return method + " " + path;
  }
}
