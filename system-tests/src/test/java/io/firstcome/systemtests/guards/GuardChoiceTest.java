package io.firstcome.systemtests.guards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GuardChoiceTest {

  @Test
  void each_guard_is_in_exactly_one_shard() {
    var shards =
        IntStream.rangeClosed(1, 4)
            .mapToObj(part -> GuardChoice.shard(Guard.all(), part + "/4"))
            .toList();

    assertThat(shards.stream().flatMap(shard -> shard.stream()))
        .containsExactlyInAnyOrderElementsOf(Guard.all());
    assertThat(shards).allMatch(shard -> shard.size() >= Guard.all().size() / 4);
  }

  @Test
  void what_is_no_shard_is_refused() {
    assertThat(List.of("0/4", "5/4", "1", "1/", "/4", "1/4/2", "-1/4"))
        .allSatisfy(shard ->
            assertThatThrownBy(() -> GuardChoice.shard(Guard.all(), shard))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(shard));
  }
}
