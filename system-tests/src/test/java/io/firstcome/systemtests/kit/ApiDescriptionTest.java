package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ApiDescriptionTest {

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([A-Z]+) (/api/[^`]*)` \\| `?([^|`]*)`? \\|$");

  private static final Call CLAIM = Call.claim("WELCOME");

  private static Answer json(int status, String body) {
    return new Answer(status, Map.of("content-type", "application/json"), body);
  }

  private static Answer problem(int status, String name) {
    return new Answer(
        status,
        Map.of("content-type", "application/problem+json"),
        """
        {"type":"urn:firstcome:problem:%s","title":"t","status":%d,"detail":"d"}\
        """
            .formatted(name, status));
  }

  private static String claim(String more) {
    return """
    {"outcome":"ACCEPTED","couponId":"WELCOME","userCouponId":"WELCOME.0123456789ABCDEF","slot":1,\
    "code":"0123456789ABCDEF","state":"ACCEPTED"%s}\
    """
        .formatted(more);
  }

  /** Which a test of the service compares with its controllers. */
  @Test
  void the_operations_and_scopes_are_those_of_the_table_in_security() throws IOException {
    var page = Files.readString(Path.of("../docs/security.md"));

    assertThat(ApiDescription.operations())
        .containsExactlyInAnyOrderElementsOf(
            ROW.matcher(page)
                .results()
                .map(row -> new Operation(row.group(1), row.group(2), row.group(3)))
                .toList());
  }

  @Test
  void an_answer_as_described_has_no_fault() {
    assertThat(ApiDescription.faults(CLAIM, json(202, claim("")))).isEmpty();
    assertThat(ApiDescription.faults(CLAIM, problem(409, "sold-out"))).isEmpty();
    assertThat(ApiDescription.faults(CLAIM, problem(429, "too-many-requests"))).isEmpty();
  }

  @Test
  void a_member_a_status_and_a_problem_that_are_not_described_are_faults() {
    assertThat(ApiDescription.faults(CLAIM, json(202, claim(",\"price\":1"))))
        .singleElement()
        .asString()
        .contains("price");
    assertThat(ApiDescription.faults(CLAIM, json(202, "{}"))).isNotEmpty();
    assertThat(ApiDescription.faults(CLAIM, json(203, claim("")))).hasSize(1);
    assertThat(ApiDescription.faults(CLAIM, problem(409, "not-held"))).hasSize(1);
    assertThat(ApiDescription.faults(CLAIM, problem(404, "sold-out"))).hasSize(1);
  }

  @Test
  void members_of_listed_items_are_checked() {
    var list = Call.get("/api/v1/coupons/WELCOME/claims/me");
    var mine =
        """
        {"state":"HELD","couponId":"WELCOME","redemption":{"redemptionId":"r","state":"HELD","userCouponId":"WELCOME.0123456789ABCDEF",\
        "couponId":"WELCOME","orderId":"o","amount":{"minorUnits":1,"currency":"EUR"%s},"discount":{"minorUnits":1,"currency":"EUR"}}}\
        """;

    assertThat(ApiDescription.faults(list, json(200, mine.formatted("")))).isEmpty();
    assertThat(ApiDescription.faults(list, json(200, mine.formatted(",\"cents\":1"))))
        .anyMatch(fault -> fault.contains("cents"));
  }

  @Test
  void an_accepted_request_that_is_not_described_is_a_fault() {
    var quote = Call.of("POST", "/api/v1/me/quotes").json("{\"orderId\":\"o\",\"sum\":1}");

    assertThat(ApiDescription.faults(quote, json(200, "{\"all\":[]}"))).isNotEmpty();
    assertThat(ApiDescription.faults(quote, problem(422, "invalid-order"))).isEmpty();
  }

  @Test
  void a_member_of_a_request_that_is_null_is_the_same_as_a_missing_one() {
    var recovery =
        Call.of("POST", "/api/v1/admin/stock/recovery").json("{\"databaseWasSetBack\":null}");

    assertThat(ApiDescription.faults(recovery, json(200, "{\"partitions\":[]}"))).isEmpty();
    assertThat(ApiDescription.faults(recovery, json(200, "{\"partitions\":null}"))).isNotEmpty();
  }
}
