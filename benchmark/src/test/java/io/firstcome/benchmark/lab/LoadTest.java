package io.firstcome.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadTest {

  @Test
  void everybody_asks_and_some_ask_twice_in_a_row() {
    var load = new Load(1_000, 10, 7);
    List<String> requests = load.requests();
    assertThat(new HashSet<>(requests)).isEqualTo(new HashSet<>(load.names())).hasSize(1_000);
    assertThat(requests.size()).isBetween(1_050, 1_150);
    long neighbours = 0;
    for (int i = 1; i < requests.size(); i++) {
      neighbours += requests.get(i).equals(requests.get(i - 1)) ? 1 : 0;
    }
    assertThat(neighbours).isEqualTo(requests.size() - 1_000);
  }

  @Test
  void the_same_seed_is_the_same_load_and_another_one_is_not() {
    assertThat(new Load(100, 10, 7).requests()).isEqualTo(new Load(100, 10, 7).requests());
    assertThat(new Load(100, 10, 8).requests()).isNotEqualTo(new Load(100, 10, 7).requests());
  }

  @Test
  void names_are_of_one_length_so_that_a_file_of_them_can_be_counted() {
    assertThat(new Load(2_000, 10, 987_654_321).names())
        .extracting(String::length)
        .containsOnly("user-00000000-00000000-000000000000".length());
  }

  @Test
  void a_load_of_nobody_is_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Load(0, 10, 7));
    assertThatIllegalArgumentException().isThrownBy(() -> new Load(10, 0, 7));
  }
}
