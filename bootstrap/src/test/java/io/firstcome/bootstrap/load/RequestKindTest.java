package io.firstcome.bootstrap.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestKindTest {

  @ParameterizedTest
  @CsvSource({
    "POST, /api/v1/coupons/AUTUMN/claims, CLAIM",
    "GET, /api/v1/coupons/AUTUMN/claims/me, COUPON",
    "GET, /api/v1/coupons/AUTUMN/claims, COUPON",
    "GET, /api/v1/me/coupons, READ",
    "POST, /api/v1/me/quotes, REDEMPTION",
    "DELETE, /api/v1/me/coupons/AUTUMN.1, REDEMPTION",
    "POST, /api/v1/redemptions, SHOP",
    "GET, /api/v1/redemptions/1, SHOP",
    "POST, /api/v1/redemptionsX, REDEMPTION",
    "POST, /api/v1/admin/coupons, OPERATOR",
    "GET, /api/v1/coupons, COUPON",
    "POST, /api/v1/coupons/suggestions, COUPON",
    "POST, /api/v1/coupons/AUTUMN/waiting-room, JOIN",
    "POST, /api/v1/coupons/AUTUMN/waiting%2Droom, JOIN",
    "GET, /api/v1/coupons/AUTUMN/waiting-room, ROOM",
    "HEAD, /api/v1/coupons/AUTUMN/waiting-room, ROOM",
    "GET, /api/v1/coupons/AUTUMN/waiting-room/me, ROOM",
    "GET, /api/v1/coupons/AUTUMN/waiting-room/me/events, STREAM",
    "GET, /api/v1/coupons/AUTUMN/waiting-roomX, COUPON",
    "GET, /api/v1/coupons/waiting-room, COUPON",
    "DELETE, /api/v1/coupons/AUTUMN/waiting-room, REDEMPTION",
    "POST, /api/v1/coupons/AUTUMN/claims/x, REDEMPTION",
    "POST, /api/v1/coupons/claims, REDEMPTION",
    "GET, /unknown, READ",
    "HEAD, /api/v1/coupons/AUTUMN, COUPON",
    "POST, /api/v1/coupons/AUTUMN/claim%73, CLAIM",
    "POST, /api/v1/coupons/AUTUMN/x/claims, REDEMPTION",
    "PUT, /api/v1/coupons/AUTUMN/claims, REDEMPTION",
    "DELETE, /api/v1/me/coupons/AUTUMN.1/redemptions/claims, REDEMPTION",
    "POST, /api/v1/me/coupons/AUTUMN.1/redemptions/claims/confirmation, REDEMPTION",
  })
  void each_operation_has_a_kind(String method, String path, RequestKind kind) {
    assertThat(RequestKind.of(method, path)).isEqualTo(kind);
  }
}
