package io.firstcome.bootstrap.rest.admin;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.domain.coupon.Coupon;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The revision of a coupon as the entity tag of its view for operators. */
final class Revisions {

  private static final Pattern ETAG = Pattern.compile("\"([1-9][0-9]{0,8})\"");

  private Revisions() {}

  static String etag(Coupon coupon) {
    return "\"%d\"".formatted(coupon.revision());
  }

  /**
   * The revision that a request requires.
   *
   * @param ifMatch the header, or null if there is none
   * @throws Problem {@code precondition-required} if there is none, {@code malformed-request} if it
   *     is not the entity tag of one revision
   */
  static int required(@Nullable String ifMatch) {
    if (ifMatch == null) {
      throw Problem.of(
          ProblemType.PRECONDITION_REQUIRED,
          "The request needs an If-Match header with the ETag of the coupon; nothing happened.");
    }
    var etag = ETAG.matcher(ifMatch.strip());
    if (!etag.matches()) {
      throw Problem.malformed("If-Match must be the ETag of the coupon, such as \"3\".");
    }
    return Integer.parseInt(etag.group(1));
  }
}
