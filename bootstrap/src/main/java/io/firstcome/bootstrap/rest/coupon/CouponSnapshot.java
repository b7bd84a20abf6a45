package io.firstcome.bootstrap.rest.coupon;

import io.firstcome.bootstrap.rest.request.CouponJson;
import org.springframework.util.DigestUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * The public view of a coupon as it was read.
 *
 * @param json its representation
 * @param etag the entity tag of that, which changes with each difference (RFC 9110, 8.8.3)
 */
@SuppressWarnings("ArrayRecordComponent") // Written to responses, and never compared.
record CouponSnapshot(byte[] json, String etag) {

  static CouponSnapshot of(CouponJson.View view, JsonMapper mapper) {
    byte[] json = mapper.writeValueAsBytes(view);
    return new CouponSnapshot(json, "W/\"" + DigestUtils.md5DigestAsHex(json) + '"');
  }
}
