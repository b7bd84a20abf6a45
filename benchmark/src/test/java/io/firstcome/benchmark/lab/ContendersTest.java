package io.firstcome.benchmark.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.benchmark.lab.published.PublishedScript;
import io.firstcome.benchmark.lab.strategy.Contender;
import org.junit.jupiter.api.Test;

class ContendersTest {

  @Test
  void each_published_script_follows_its_best_form() {
    var ids = Contenders.all().stream().map(Contender::id).toList();
    for (var script : PublishedScript.all()) {
      int place = ids.indexOf(script.contender().id());
      assertThat(place).isPositive();
      assertThat(ids.get(place - 1)).isEqualTo(script.bestForm());
    }
  }

  @Test
  void all_strategies_are_found_by_ids_that_differ() {
    assertThat(Contenders.all())
        .hasSize(Contender.all().size() + PublishedScript.all().size())
        .allSatisfy(contender -> assertThat(Contenders.find(contender.id())).contains(contender));
    assertThat(PublishedScript.all())
        .extracting(script -> script.contender().id())
        .allSatisfy(id -> assertThat(id).startsWith("published-"));
    assertThat(Contenders.find("none")).isEmpty();
  }
}
