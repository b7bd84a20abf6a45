package io.firstcome.domain.shop;

import java.util.regex.Pattern;

/**
 * The shop's id of an order: 1 to 64 of {@code A-Z a-z 0-9 . _ @ -}. Calls for one order are
 * idempotent.
 */
public record OrderId(String value) {

  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._@-]{1,64}");

  public OrderId {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "orderId must be 1 to 64 of A-Z a-z 0-9 . _ @ -: '" + value + "'");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
