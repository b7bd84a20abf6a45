package io.firstcome.domain.shop;

import java.util.regex.Pattern;

/**
 * Where a coupon code comes from: a shop, one customer of a shop, or one address of a shop's
 * customers.
 *
 * @param name of the customer or address, as the shop states it: 1 to 128 printable ASCII
 *     characters without space; empty for the shop
 */
public record CodeSource(ShopId shop, Kind kind, String name) {

  private static final Pattern NAME = Pattern.compile("[!-~]{1,128}");

  /** What a source is. */
  public enum Kind {
    SHOP,
    CUSTOMER,
    ADDRESS
  }

  public CodeSource {
    if (kind != Kind.SHOP) {
      requireName(name);
    } else if (!name.isEmpty()) {
      throw new IllegalArgumentException("a shop as a source has no further name");
    }
  }

  /**
   * Checks the name of a customer or an address and returns it.
   *
   * @throws IllegalArgumentException if it is not of the form that is allowed
   */
  public static String requireName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "must have 1 to 128 printable ASCII characters without space");
    }
    return name;
  }

  /** All codes that the shop sends. */
  public static CodeSource of(ShopId shop) {
    return new CodeSource(shop, Kind.SHOP, "");
  }

  /** A text that no other source has. */
  public String key() {
    return shop + " " + kind + " " + name;
  }
}
