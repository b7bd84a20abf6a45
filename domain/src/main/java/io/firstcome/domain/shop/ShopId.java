package io.firstcome.domain.shop;

import java.util.regex.Pattern;

/**
 * The id of a shop: an order service or a branch with tills, from the caller's authentication. 1 to
 * 64 of {@code A-Z a-z 0-9 . _ -}.
 */
public record ShopId(String value) {

  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  public ShopId {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException("shop must be 1 to 64 of A-Z a-z 0-9 . _ -");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
