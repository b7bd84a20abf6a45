package io.firstcome.bootstrap.rest.coupon;

import io.firstcome.bootstrap.rest.request.CouponJson;
import org.springframework.util.DigestUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * The public view of a coupon as it was read.
 *
 * @param json the representation of the view
 * @param etag the entity tag of that, which changes with each difference except that of the time at
 *     which it was read (RFC 9110, 8.8.3)
 */
@SuppressWarnings("ArrayRecordComponent") // Written to responses, and never compared.
record CouponSnapshot(CouponJson.View view, byte[] json, String etag) {

  static CouponSnapshot of(CouponJson.View view, JsonMapper mapper) {
    var hash = DigestUtils.md5DigestAsHex(mapper.writeValueAsBytes(view.withoutServerTime()));
    return new CouponSnapshot(view, mapper.writeValueAsBytes(view), "W/\"" + hash + '"');
  }
}
