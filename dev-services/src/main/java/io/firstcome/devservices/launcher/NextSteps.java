package io.firstcome.devservices.launcher;

/** Commands to try when the service runs. */
final class NextSteps {

  private NextSteps() {}

  static String text(String url) {
    return """
    Try:
      curl -i -X POST -H 'Prefer: wait=5' %1$s/api/v1/coupons/%2$s/claims \\
        -H 'X-Gateway-Secret: local' -H 'X-User-Id: ann'
      curl -s %1$s/api/v1/coupons/%2$s/claims/me -H 'X-Gateway-Secret: local' -H 'X-User-Id: ann'
      curl -s %1$s/api/v1/admin/coupons/%2$s/proof -H 'X-Gateway-Secret: local' \\
        -H 'X-Scopes: coupon:read'
    """
        .formatted(url, DefinitionBody.SAMPLE_ID)
        .stripTrailing();
  }
}
