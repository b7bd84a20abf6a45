package io.firstcome.bootstrap.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.bootstrap.load.WaitingPlaces.Place;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WaitingPlacesTest {

  private static final Requester ANN = new Requester(Requester.Type.CUSTOMER, "ann");
  private static final Requester BOB = new Requester(Requester.Type.CUSTOMER, "bob");
  private static final Requester BERLIN = new Requester(Requester.Type.SHOP, "berlin");
  private static final Requester LONDON = new Requester(Requester.Type.SHOP, "london");

  /** Two for each of two kinds, and sixty for both. */
  private final WaitingPlaces places = new WaitingPlaces(64, 2);

  private List<Place> occupyAll(RequestKind kind, @Nullable Requester requester) {
    var occupied = new ArrayList<Place>();
    for (var next = places.occupy(kind, requester);
        next.isPresent();
        next = places.occupy(kind, requester)) {
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
    var ofAnn = occupyAll(RequestKind.READ, ANN);
    assertThat(ofAnn).hasSize(16);
    assertThat(occupyAll(RequestKind.READ, BOB)).hasSize(16);

    ofAnn.getFirst().close();

    assertThat(occupyAll(RequestKind.READ, ANN)).hasSize(1);
  }

  @Test
  void a_shop_may_occupy_a_quarter_of_all_places() {
    assertThat(new WaitingPlaces(400, 2))
        .satisfies(many -> {
          for (int i = 0; i < 100; i++) {
            assertThat(many.occupy(RequestKind.SHOP, BERLIN)).isPresent();
          }
          assertThat(many.occupy(RequestKind.SHOP, BERLIN)).isEmpty();
          assertThat(many.occupy(RequestKind.SHOP, LONDON)).isPresent();
        });
  }
}
