package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.RecordedClaim.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestRecordTest {

  private static final Map<String, String> PROBLEM =
      Map.of("content-type", "application/problem+json");

  @TempDir Path folder;

  @Test
  void requests_are_read_back_from_the_file() {
    try (var record = new RequestRecord(folder.resolve("requests.tsv"))) {
      long ann = record.invoke("A1", "ann");
      record.invoke("A1", "bob");
      long cem = record.invoke("A1", "cem");
      record.answered(ann, "A1", "ann", accepted());
      record.answered(cem, "A1", "cem", problem(409, "sold-out"));
      record.invoke("B1", "ann");

      List<RecordedClaim> claims = record.claimsOf("A1");
      assertThat(claims).extracting(RecordedClaim::user).containsExactly("ann", "bob", "cem");
      assertThat(claims)
          .extracting(RecordedClaim::kind)
          .containsExactly(Kind.OK, Kind.UNKNOWN, Kind.REFUSED);
      var first = claims.getFirst();
      assertThat(first.slot()).isEqualTo(7);
      assertThat(first.userCouponId()).isEqualTo("A1.x");
      assertThat(first.code()).isEqualTo("C");
      assertThat(first.beginNanos()).isLessThan(first.endNanos());
      assertThat(claims.get(1).endNanos()).isEqualTo(Long.MAX_VALUE);
      assertThat(claims.get(2).isSoldOut()).isTrue();
      assertThat(folder.resolve("requests.tsv")).content().hasLineCount(6);
    }
  }

  @Test
  void only_refusals_without_effect_are_recorded_as_refused() {
    assertThat(kindOf(problem(503, "recovering"))).isEqualTo(Kind.REFUSED);
    assertThat(kindOf(problem(503, "overloaded"))).isEqualTo(Kind.REFUSED);
    assertThat(kindOf(problem(503, "outcome-unknown"))).isEqualTo(Kind.UNKNOWN);
    assertThat(kindOf(problem(500, "internal-error"))).isEqualTo(Kind.UNKNOWN);
    assertThat(kindOf(problem(429, "too-many-requests"))).isEqualTo(Kind.REFUSED);
  }

  @Test
  void users_and_codes_in_a_log_are_found() throws Exception {
    Path log = folder.resolve("service.log");
    var user = Users.one();
    Files.writeString(log, "all is well\nhello %s\nX0123456789ABCDEFY\n".formatted(user));
    assertThat(LogCanary.tellingLines(List.of(log), Set.of("0123456789ABCDEF")))
        .containsExactly("hello " + user, "X0123456789ABCDEFY");
  }

  @Test
  void any_remaining_entry_or_message_is_a_violation() {
    assertThat(new Backlog(Map.of("entries", 0L, "messages", 0L)).violations()).isEmpty();
    assertThat(new Backlog(Map.of("entries", 1L, "messages", 0L)).violations()).hasSize(1);
  }

  private Kind kindOf(Answer answer) {
    try (var record = new RequestRecord(folder.resolve("kinds.tsv"))) {
      return record.answered(record.invoke("A1", "ann"), "A1", "ann", answer).kind();
    }
  }

  private static Answer accepted() {
    return new Answer(
        202,
        Map.of("content-type", "application/json"),
        """
        {"outcome":"ACCEPTED","slot":7,"userCouponId":"A1.x","code":"C"}\
        """);
  }

  private static Answer problem(int status, String name) {
    return new Answer(status, PROBLEM, "{\"type\":\"urn:firstcome:problem:%s\"}".formatted(name));
  }
}
