package io.firstcome.systemtests.guards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What can be said of the patches without running anything: a refactoring must not lose one. */
class GuardPatchesTest {

  private final List<Guard> guards = Guard.in(GuardsPage.PATCHES);

  @Test
  void each_patch_fits_the_sources() throws InterruptedException {
    for (var guard : guards) {
      Sources.requireFits(guard, Sources.ROOT);
    }
    assertThat(guards).isNotEmpty();
  }

  @Test
  void each_patch_changes_what_the_service_runs_and_no_test() {
    assertThat(guards)
        .allSatisfy(
            guard -> assertThat(guard.changed()).allMatch(file -> file.contains("/src/main/")));
  }

  @Test
  void the_page_lists_them_all() throws IOException {
    assertThat(GuardsPage.PAGE).hasContent(GuardsPage.of(guards));
    assertThat(Files.readString(GuardsPage.PAGE)).endsWith("|\n");
  }
}
