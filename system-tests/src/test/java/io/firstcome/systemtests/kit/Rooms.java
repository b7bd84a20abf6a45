package io.firstcome.systemtests.kit;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Waiting rooms of coupons. */
public final class Rooms {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private Rooms() {}

  public static String path(String coupon) {
    return "/api/v1/coupons/" + coupon + "/waiting-room";
  }

  /** The room as everybody sees it. */
  public static JsonNode document(Deployment world, String coupon) {
    return world.send(Call.get(path(coupon))).json();
  }

  /** Defines a coupon with a room, and returns its id once the room is open. */
  public static String define(Deployment world, CouponRequests request) {
    var coupon = world.define(request);
    Await.until(LIMIT, "an open room", () -> document(world, coupon).has("serving"));
    return coupon;
  }

  /** Ends coupons, so that no instance keeps their rooms any more. */
  public static void end(Deployment world, List<String> coupons) {
    coupons.forEach(coupon -> change(world, coupon, "close"));
  }

  /** Pauses a coupon: users can join, and none is served, also after the opening. */
  public static void pause(Deployment world, String coupon) {
    change(world, coupon, "pause");
  }

  /** Ends the pause of a coupon. */
  public static void resume(Deployment world, String coupon) {
    change(world, coupon, "resume");
  }

  private static void change(Deployment world, String coupon, String action) {
    var call = Call.of("POST", "/api/v1/admin/coupons/" + coupon + "/" + action).operator();
    Await.until(
        LIMIT,
        action + " of " + coupon,
        () -> Set.of(200, 409).contains(world.send(call).status()));
  }

  /** Changes the rate or the pause as an operator, who repeats what is answered 503. */
  public static void pace(Deployment world, String coupon, String json) {
    var call = Call.of("POST", "/api/v1/admin/coupons/" + coupon + "/waiting-room");
    Await.until(
        LIMIT,
        "the room has " + json,
        () -> world.send(call.operator().json(json)).status() == 200);
  }
}
