package io.firstcome.adapter.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.firstcome.domain.event.CouponEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Event messages conform to CloudEvents and to the schemas in {@code docs/events}. */
final class CloudEventFormatTest {

  private static final Path SCHEMAS = Path.of("..", "docs", "events");
  private static final String SCHEMA_PREFIX = "urn:firstcome:schema:";
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private final CloudEventFormat format = new CloudEventFormat(new RabbitNames("firstcome"));

  private static List<CouponEvent> events() {
    return EventSamples.ofEachType();
  }

  private JsonNode encoded(CouponEvent event) {
    return JSON.readTree(format.encode(List.of(event))).get(0);
  }

  private static Path schemaFile(JsonNode message) {
    var name = message.get("dataschema").stringValue();
    assertThat(name).startsWith(SCHEMA_PREFIX).endsWith(":1");
    return SCHEMAS.resolve(
        name.substring(SCHEMA_PREFIX.length(), name.length() - 2) + ".schema.json");
  }

  private static String read(Path schema) throws IOException {
    return Files.readString(schema);
  }

  private static Schema schema(String text) {
    return REGISTRY.getSchema(text, InputFormat.JSON);
  }

  /** With format assertions, which validators ignore by default. */
  private static List<?> faults(Schema schema, JsonNode data) {
    return schema.validate(
        data,
        execution ->
            execution.executionConfig(config -> config.formatAssertionsEnabled(Boolean.TRUE)));
  }

  @ParameterizedTest
  @MethodSource("events")
  void a_message_has_the_members_of_a_cloud_event(CouponEvent event) {
    var message = encoded(event);

    assertThat(message.propertyNames())
        .containsExactlyInAnyOrder(
            "specversion",
            "id",
            "source",
            "type",
            "subject",
            "time",
            "datacontenttype",
            "dataschema",
            "data");
    assertThat(message.get("specversion").stringValue()).isEqualTo("1.0");
    assertThat(message.get("id").stringValue()).isEqualTo(event.id());
    assertThat(message.get("source").stringValue()).isEqualTo("/firstcome");
    assertThat(message.get("time").stringValue()).isEqualTo("2026-05-01T09:00:00.123Z");
    assertThat(message.get("datacontenttype").stringValue()).isEqualTo("application/json");
  }

  @Test
  void a_test_of_a_webhook_has_the_members_of_an_event_and_no_data() throws IOException {
    var at = Instant.parse("2026-05-01T09:00:00.123Z");
    var messages = JSON.readTree(format.test(at));

    assertThat(messages.size()).isEqualTo(1);
    var message = messages.get(0);
    assertThat(message.propertyNames())
        .containsExactlyElementsOf(encoded(events().getFirst()).propertyNames());
    assertThat(message.get("type").stringValue()).isEqualTo("io.firstcome." + format.testType());
    assertThat(faults(schema(read(schemaFile(message))), message.get("data"))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("events")
  void the_data_conforms_to_the_schema_of_its_type(CouponEvent event) throws IOException {
    var message = encoded(event);
    var text = read(schemaFile(message));

    assertThat(faults(schema(text), message.get("data"))).isEmpty();
    assertThat(JSON.readTree(text).get("properties").propertyNames())
        .as("every member is in the schema")
        .containsExactlyInAnyOrderElementsOf(message.get("data").propertyNames());
    assertThat(JSON.readTree(text).get("$id")).isEqualTo(message.get("dataschema"));
  }

  @ParameterizedTest
  @MethodSource("events")
  void a_schema_rejects_data_with_a_missing_or_null_member(CouponEvent event) throws IOException {
    var message = encoded(event);
    var schema = schema(read(schemaFile(message)));

    for (var member : message.get("data").propertyNames()) {
      var without = message.get("data").deepCopy().asObject();
      without.remove(member);
      assertThat(faults(schema, without)).as("without %s", member).isNotEmpty();
      var withNull = message.get("data").deepCopy().asObject();
      withNull.putNull(member);
      assertThat(faults(schema, withNull)).as("%s is null", member).isNotEmpty();
    }
  }

  @Test
  void each_event_type_has_a_schema_and_there_is_no_other_schema() throws IOException {
    try (Stream<Path> files = Files.list(SCHEMAS)) {
      assertThat(files.collect(Collectors.toSet()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(
                      events().stream().map(this::encoded),
                      JSON.readTree(format.test(Instant.EPOCH)).valueStream())
                  .map(CloudEventFormatTest::schemaFile)
                  .toList());
    }
  }

  @Test
  void a_message_has_its_events_in_order() {
    var message = JSON.readTree(format.encode(events()));

    assertThat(message.isArray()).isTrue();
    assertThat(message).containsExactlyElementsOf(events().stream().map(this::encoded).toList());
  }

  @Test
  void a_used_event_has_the_order_the_amount_and_the_discount() {
    var data = encoded(EventSamples.used()).get("data");

    assertThat(data)
        .isEqualTo(
            JSON.readTree(
                """
                {"couponId": "WELCOME2026", "userCouponId": "WELCOME2026.0123456789ABCDEF",
                 "revision": 2, "userId": "ann@example.org", "orderId": "order-1",
                 "amount": {"minorUnits": 12345, "currency": "BHD"},
                 "discount": {"minorUnits": 500, "currency": "BHD"}}
                """));
  }

  @Test
  void routing_keys_consist_of_type_and_coupon() {
    assertThat(events().stream().map(CloudEventFormat::routingKey))
        .containsExactly(
            "user-coupon.issued.WELCOME2026",
            "user-coupon.held.WELCOME2026",
            "user-coupon.released.WELCOME2026",
            "user-coupon.used.WELCOME2026",
            "user-coupon.restored.WELCOME2026",
            "user-coupon.expired.WELCOME2026",
            "user-coupon.returned.WELCOME2026",
            "user-coupon.revoked.WELCOME2026",
            "coupon.share-issued.WELCOME2026",
            "coupon.sold-out.WELCOME2026",
            "coupon.returned-to-sale.WELCOME2026");
  }
}
