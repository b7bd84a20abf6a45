package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.published.PublishedScript;
import io.firstcome.benchmark.lab.strategy.Contender;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The strategies of the lab: each in its best form, followed by its published scripts. */
final class Contenders {

  private static final List<Contender> ALL =
      Contender.all().stream()
          .flatMap(best -> Stream.concat(Stream.of(best), published(best)))
          .toList();

  private Contenders() {}

  private static Stream<Contender> published(Contender best) {
    return PublishedScript.all().stream()
        .filter(script -> script.bestForm().equals(best.id()))
        .map(PublishedScript::contender);
  }

  /** All strategies, in the order of the report. */
  static List<Contender> all() {
    return ALL;
  }

  static Optional<Contender> find(String id) {
    return ALL.stream().filter(contender -> contender.id().equals(id)).findFirst();
  }
}
