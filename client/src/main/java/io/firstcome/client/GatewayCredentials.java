package io.firstcome.client;

import java.net.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * Those of a gateway, which has authenticated the caller itself and names it.
 *
 * @param secret of the gateway
 * @param user the customer, the operator, or the employee of the shop
 * @param shop the shop, which needs the scope {@code coupon:redeem}
 * @param scopes separated by spaces
 */
public record GatewayCredentials(
    String secret, @Nullable String user, @Nullable String shop, @Nullable String scopes)
    implements Credentials {

  public GatewayCredentials withUser(String name) {
    return new GatewayCredentials(secret, name, shop, scopes);
  }

  public GatewayCredentials withShop(String name) {
    return new GatewayCredentials(secret, user, name, scopes);
  }

  public GatewayCredentials withScopes(String... names) {
    return new GatewayCredentials(secret, user, shop, String.join(" ", names));
  }

  @Override
  public void addTo(HttpRequest.Builder request) {
    request.setHeader("X-Gateway-Secret", secret);
    add(request, "X-User-Id", user);
    add(request, "X-Shop-Id", shop);
    add(request, "X-Scopes", scopes);
  }

  private static void add(HttpRequest.Builder request, String name, @Nullable String value) {
    if (value != null) {
      request.setHeader(name, value);
    }
  }

  /** Without the secret, which must not get into logs. */
  @Override
  public String toString() {
    return "GatewayCredentials[user=%s, shop=%s, scopes=%s]".formatted(user, shop, scopes);
  }
}
