package io.firstcome.client;

import java.net.http.HttpRequest;
import java.util.function.Supplier;

/** Says who calls, in the headers of each request. Implementations are safe for concurrent use. */
@FunctionalInterface
public interface Credentials {

  /** Adds headers to a request. */
  void addTo(HttpRequest.Builder request);

  /**
   * Those of a token of an issuer that the service trusts.
   *
   * @param token is asked for each request, so that it can replace a token before it expires
   */
  static Credentials token(Supplier<String> token) {
    return request -> request.setHeader("Authorization", "Bearer " + token.get());
  }

  /** Those of a visitor who is not signed in, behind a gateway that the service trusts. */
  static GatewayCredentials gateway(String secret) {
    return new GatewayCredentials(secret, null, null, null);
  }
}
