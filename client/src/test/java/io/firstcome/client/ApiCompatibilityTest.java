package io.firstcome.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of the last release can call the service as it is now. */
class ApiCompatibilityTest {

  private static final Path NOW = Path.of("../docs/openapi.yaml");
  private static final Path RELEASED = Path.of("src/test/resources/released/openapi.yaml");

  private static final String DESCRIPTION =
      """
      openapi: 3.1.1
      info: {title: Shop, summary: A shop., version: 1.0.0, license: {name: MIT, identifier: MIT}}
      paths:
        /orders:
          get:
            operationId: listOrders
            parameters:
              - {name: after, in: query, schema: {type: string, maxLength: 10}}
            responses:
              '200': {description: Orders., content: {application/json: {schema: {$ref: '#/components/schemas/Orders'}}}}
          post:
            operationId: addOrder
            requestBody:
              required: true
              content: {application/json: {schema: {$ref: '#/components/schemas/NewOrder'}}}
            responses:
              '201': {description: Added., content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
              '409': {description: Refused.}
      components:
        schemas:
          NewOrder:
            type: object
            required: [product]
            properties:
              product: {type: string, maxLength: 20}
              kind: {type: string, enum: [GIFT, SALE]}
              note: {type: string}
              tags: {type: array, maxItems: 9, items: {type: string}}
          Order:
            type: object
            required: [number]
            properties:
              number: {type: integer}
              state: {type: string, enum: [OPEN, PAID]}
              remark: {type: string}
          Orders:
            type: object
            properties:
              items: {type: array, items: {$ref: '#/components/schemas/Order'}}
      """;

  /** A deliberate break is listed in CHANGELOG.md; CONTRIBUTING.md says how to accept it. */
  @Test
  void no_change_since_the_last_release_breaks_its_clients() throws IOException {
    assertThat(ApiChanges.breaking(Files.readString(RELEASED), Files.readString(NOW))).isEmpty();
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "/orders:, /purchases:, a path is renamed",
        "  get:, put:, a method is changed",
        "listOrders, findOrders, a call of a client has another name",
        "in: query, \"in: query, required: true\", a parameter becomes required",
        "name: after, name: since, a parameter is renamed",
        "type: string, type: integer, the type of a parameter is changed",
        "maxLength: 10, maxLength: 9, a parameter must be shorter",
        "required: [product], \"required: [product, note]\", a member becomes required",
        "note: {type: string}, more: {type: string}, an optional member of a request is removed",
        "\"enum: [GIFT, SALE]\", enum: [GIFT], a value is no longer accepted",
        "maxLength: 20, maxLength: 19, a member must be shorter",
        "maxItems: 9, maxItems: 8, an array must be shorter",
        "number: {type: integer}, number: {type: string}, the type of a member is changed",
        "number: {type: integer}, count: {type: integer}, a member of an answer is removed",
        "remark: {type: string}, more: {type: string}, an optional member of an answer is removed",
        "required: [number], required: [], a member can be absent from an answer",
        "'201', '200', the status of an answer is changed",
        "items: {type: array, list: {type: array, a member of a list is removed",
      })
  void a_change_that_breaks_clients_is_found(String was, String is, String change) {
    assertThat(ApiChanges.breaking(DESCRIPTION, changed(was, is))).as(change).isNotEmpty();
  }

  @ParameterizedTest(name = "{2}")
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "Refused., Not accepted., a text is changed",
        "after, after, nothing is changed",
        "maxLength: 10, maxLength: 11, a parameter may be longer",
        "\"enum: [GIFT, SALE]\", \"enum: [GIFT, SALE, LOAN]\", one more value is accepted",
        "\"enum: [OPEN, PAID]\", \"enum: [OPEN, PAID, SENT]\", an answer has one more value",
        "required: [product], required: [], a member becomes optional",
      })
  void a_change_that_clients_bear_is_accepted(String was, String is, String change) {
    assertThat(ApiChanges.breaking(DESCRIPTION, changed(was, is))).as(change).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"note: {type: string}", "remark: {type: string}"})
  void one_more_optional_member_of_a_request_or_an_answer_is_accepted(String member) {
    var one = member + System.lineSeparator() + "        more: {type: string}";

    assertThat(ApiChanges.breaking(DESCRIPTION, changed(member, one))).isEmpty();
  }

  @Test
  void a_description_that_cannot_be_compared_is_refused() {
    var newer = changed("number: {type: integer}", "number: {type: [integer, string]}");

    assertThatIllegalArgumentException().isThrownBy(() -> ApiChanges.breaking(DESCRIPTION, newer));
  }

  private static String changed(String was, String is) {
    assertThat(DESCRIPTION).contains(was);
    return DESCRIPTION.replaceFirst(Pattern.quote(was), Matcher.quoteReplacement(is));
  }
}
