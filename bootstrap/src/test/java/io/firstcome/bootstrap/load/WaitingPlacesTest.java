package io.firstcome.bootstrap.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.load.WaitingPlaces.Place;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WaitingPlacesTest {

  /** Two for each of two kinds, and sixty for both. */
  private final WaitingPlaces places = new WaitingPlaces(64, 2);

  private List<Place> occupyAll(RequestKind kind, @Nullable String caller) {
    var occupied = new ArrayList<Place>();
    for (var next = places.occupy(kind, caller);
        next.isPresent();
        next = places.occupy(kind, caller)) {
      occupied.add(next.get());
    }
    return occupied;
  }

  @Test
  void a_kind_leaves_the_places_that_are_for_another_kind_alone() {
    assertThat(occupyAll(RequestKind.READ, null)).hasSize(62);

    assertThat(occupyAll(RequestKind.SHOP, null)).hasSize(2);
  }

  @Test
  void a_place_that_was_left_can_be_occupied_again() {
    var ofReads = occupyAll(RequestKind.READ, null);
    occupyAll(RequestKind.SHOP, null);

    ofReads.getFirst().close();

    assertThat(occupyAll(RequestKind.SHOP, null)).hasSize(1);
    assertThat(places.occupy(RequestKind.READ, null)).isEmpty();
  }

  @Test
  void a_customer_may_occupy_sixteen_places_of_a_kind() {
    var ofAnn = occupyAll(RequestKind.READ, "ann");
    assertThat(ofAnn).hasSize(16);
    assertThat(occupyAll(RequestKind.READ, "bob")).hasSize(16);

    ofAnn.getFirst().close();

    assertThat(occupyAll(RequestKind.READ, "ann")).hasSize(1);
  }

  @Test
  void a_shop_may_occupy_a_quarter_of_all_places() {
    assertThat(new WaitingPlaces(400, 2))
        .satisfies(many -> {
          for (int i = 0; i < 100; i++) {
            assertThat(many.occupy(RequestKind.SHOP, "berlin")).isPresent();
          }
          assertThat(many.occupy(RequestKind.SHOP, "berlin")).isEmpty();
          assertThat(many.occupy(RequestKind.SHOP, "london")).isPresent();
        });
  }
}
