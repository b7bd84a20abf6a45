package io.firstcome.adapter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which replicas Sentinel could select, from the fields of its reply. */
class PromotableTest {

  private static final String ADDRESS = "10.0.0.1:6379";

  private static Map<String, String> replica(String field, String value) {
    var fields =
        new HashMap<>(
            Map.of(
                "ip", "10.0.0.1",
                "port", "6379",
                "flags", "slave",
                "down-after-milliseconds", "5000",
                "master-link-down-time", "0",
                "slave-priority", "100"));
    fields.put(field, value);
    return fields;
  }

  /** Both bounds are ten times the 5,000 ms above. */
  @ParameterizedTest
  @CsvSource({
    "slave-priority, 1, true",
    "slave-priority, 0, false",
    "master-link-down-time, 50000, true",
    "master-link-down-time, 50001, false",
    "master-link-down-time, -1000, true",
    "s-down-time, 50000, true",
    "s-down-time, 50001, false",
  })
  void a_replica_is_promotable_exactly_if_sentinel_could_select_it(
      String field, String value, boolean selectable) {
    var promotable = Promotable.of(List.of(replica(field, value)));

    assertThat(promotable.among(Set.of()).contains(ADDRESS)).isEqualTo(selectable);
    assertThat(promotable.among(Set.of(ADDRESS)).contains(ADDRESS)).isEqualTo(selectable);
  }

  @Test
  void a_replica_that_one_sentinel_could_select_is_promotable() {
    var promotable =
        Promotable.of(List.of(replica("slave-priority", "0"), replica("slave-priority", "100")));

    assertThat(promotable.among(Set.of())).containsExactly(ADDRESS);
  }

  @Test
  void an_attached_replica_that_no_sentinel_lists_yet_is_promotable() {
    assertThat(Promotable.of(List.of()).among(Set.of(ADDRESS))).containsExactly(ADDRESS);
    assertThat(Promotable.ALL_ATTACHED.among(Set.of(ADDRESS))).containsExactly(ADDRESS);
  }
}
