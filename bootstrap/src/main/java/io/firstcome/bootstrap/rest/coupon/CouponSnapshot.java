package io.firstcome.bootstrap.rest.coupon;

import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.PublicDocument;
import tools.jackson.databind.json.JsonMapper;

/** The public view of a coupon as it was read. */
record CouponSnapshot(CouponJson.View view, PublicDocument document) {

  static CouponSnapshot of(CouponJson.View view, JsonMapper mapper) {
    return new CouponSnapshot(view, PublicDocument.of(view, view.withoutServerTime(), mapper));
  }
}
