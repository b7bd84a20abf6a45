package io.firstcome.devservices.launcher;

/** What to try once the service runs. */
final class NextSteps {

  private NextSteps() {}

  static String text(String url) {
    return """
    Try:
      curl -i -X POST %1$s/api/v1/coupons/%2$s/claims -H 'X-Gateway-Secret: local' -H 'X-User-Id: ann'
      curl -s %1$s/api/v1/coupons/%2$s/claims/me -H 'X-Gateway-Secret: local' -H 'X-User-Id: ann'
      curl -s %1$s/api/v1/me/coupons -H 'X-Gateway-Secret: local' -H 'X-User-Id: ann'
      curl -s %1$s/api/v1/admin/coupons/%2$s/proof -H 'X-Gateway-Secret: local' \\
        -H 'X-User-Id: op' -H 'X-Scopes: coupon:operate'
      %1$s/               the console
      %1$s/swagger-ui.html    the API, to try
    """
        .formatted(url, CouponDefinition.SAMPLE_ID)
        .stripTrailing();
  }
}
