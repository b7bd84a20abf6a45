package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The service refuses to start with an invalid setting, and reports it in one line. */
@Tag("slow")
@ExtendWith(QuietLogs.class)
class InvalidSettingsIT {

  private static final Duration START_LIMIT = Duration.ofMinutes(3);

  private final World world = World.get();

  private record Invalid(Map<String, String> settings, String reason) {}

  private static final List<Invalid> INVALID =
      List.of(
          new Invalid(
              Map.of(
                  "FIRSTCOME_SECURITY_GATEWAYSECRETS", "",
                  "FIRSTCOME_SECURITY_ISSUERS_0_ISSUER", "",
                  "FIRSTCOME_SECURITY_ISSUERS_0_AUDIENCE", "",
                  "FIRSTCOME_SECURITY_ISSUERS_0_SCOPES", "",
                  "FIRSTCOME_SECURITY_ISSUERS_0_PUBLICKEY", ""),
              "firstcome.security.gateway-secrets, firstcome.security.gateway-certificates or"
                  + " firstcome.security.issuers must be set"),
          new Invalid(
              Map.of("SERVER_ADDRESS", "0.0.0.0"),
              "firstcome.security.gateway-secrets must each have 32 or more characters"),
          new Invalid(
              Map.of("FIRSTCOME_PROXIES", "proxy.example.com"),
              "firstcome.proxies must be addresses, or networks such as 10.0.0.0/8: proxy"),
          new Invalid(
              Map.of(
                  "FIRSTCOME_SECURITY_ISSUERS_0_ISSUER", "https://id.example.com/",
                  "FIRSTCOME_SECURITY_ISSUERS_0_PUBLICKEY", ""),
              "https://id.example.com/ needs either jwk-set-uri or public-key"),
          new Invalid(Map.of("FIRSTCOME_CODEKEYS_1", "c2hvcnQ="), "firstcome.code-keys: "),
          new Invalid(
              Map.of("FIRSTCOME_LIMITS_CLAIMS_CALLTIME", "0s"),
              "firstcome.limits.claims.call-time must be PT0.001S to PT24H: PT0S"),
          new Invalid(
              Map.of("FIRSTCOME_LIMITS_CLAIMS_CALTIME", "1s"),
              "there is no setting firstcome.limits.claims.caltime"),
          new Invalid(
              Map.of("FIRSTCOME_SECURITY_GATEWAYCERTIFICATE", "CN=gateway,O=Firstcome"),
              "there is no setting firstcome.security.gatewaycertificate"),
          new Invalid(
              Map.of("FIRSTCOME_RETENTION_PERIODS", "P400D"),
              "there is no setting firstcome.retention.periods"),
          new Invalid(
              Map.of(
                  "MANAGEMENT_OPENTELEMETRY_TRACING_EXPORT_OTLP_ENDPOINT", "http://127.0.0.1:4318",
                  "MANAGEMENT_TRACING_SAMPLING_PROBABILITY", "2"),
              "management.tracing.sampling.probability must be from 0 to 1: 2.0"),
          new Invalid(
              Map.of(
                  "MANAGEMENT_OPENTELEMETRY_TRACING_EXPORT_OTLP_ENDPOINT", "http://127.0.0.1:4318",
                  "MANAGEMENT_TRACING_EXPORT_OTLP_ENABLED", "false"),
              "endpoint is set, and another setting switches the export of traces off"),
          new Invalid(
              Map.of(
                  "SPRING_RABBITMQ_ADDRESSES", "amqp://guest:guest@broker.example.com:5671",
                  "SPRING_SSL_BUNDLE_PEM_SERVERS_TRUSTSTORE_CERTIFICATE", "file:authority.pem",
                  "SPRING_RABBITMQ_SSL_BUNDLE", "servers"),
              "spring.rabbitmq.addresses must begin with amqps://"));

  @Test
  void each_invalid_setting_is_reported_in_one_line() throws IOException {
    for (int i = 0; i < INVALID.size(); i++) {
      var invalid = INVALID.get(i);
      try (ServiceProcess refused = world.start("invalid-setting-" + i, invalid.settings())) {
        assertThat(refused.awaitEnd(START_LIMIT)).as(invalid.toString()).isNotZero();

        var log = Files.readAllLines(refused.logFile());
        assertThat(log)
            .filteredOn(line -> line.contains(" ERROR ") || line.contains(" WARN "))
            .singleElement()
            .asString()
            .contains(invalid.reason());
        assertThat(log).noneMatch(line -> line.startsWith("\tat "));
      }
    }
  }
}
