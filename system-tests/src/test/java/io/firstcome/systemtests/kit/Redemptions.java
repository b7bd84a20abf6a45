package io.firstcome.systemtests.kit;

/** Calls with which a shop redeems user coupons. */
public final class Redemptions {

  public static final String PATH = "/api/v1/redemptions";

  /** The shop of {@link Call#shop}. */
  public static final String SHOP = "berlin";

  private Redemptions() {}

  /** The use of a user coupon on an order of that many minor units of EUR. */
  public static Call use(String userCoupon, String order, long minorUnits) {
    return take(userCoupon, order, minorUnits, "");
  }

  /** A hold of ten minutes for an order. */
  public static Call hold(String userCoupon, String order, long minorUnits) {
    return take(userCoupon, order, minorUnits, ",\"hold\":\"PT10M\"");
  }

  private static Call take(String userCoupon, String order, long minorUnits, String more) {
    return Call.of("POST", PATH)
        .shop()
        .json(
            "{\"userCouponId\":\"%s\",%s}"
                .formatted(userCoupon, orderMembers(order, minorUnits, more)));
  }

  private static String orderMembers(String order, long minorUnits, String more) {
    return "\"orderId\":\"%s\",\"amount\":{\"minorUnits\":%d,\"currency\":\"EUR\"}%s"
        .formatted(order, minorUnits, more);
  }

  /** The undo of the use on an order. */
  public static Call undo(String userCoupon, String order) {
    return Call.of("POST", path(userCoupon, order) + "/cancellation")
        .shop()
        .json("{\"reason\":\"out of stock\"}");
  }

  /** The confirmation of a hold. */
  public static Call confirm(String userCoupon, String order) {
    return Call.of("POST", path(userCoupon, order) + "/confirmation").shop();
  }

  /** The path of a redemption. */
  public static String path(String userCoupon, String order) {
    return PATH + "/" + userCoupon + ":" + order;
  }
}
