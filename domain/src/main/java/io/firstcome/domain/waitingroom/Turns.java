package io.firstcome.domain.waitingroom;

import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.Pseudonyms;
import java.util.List;

/**
 * The users of successive places of a room that claims for its users.
 *
 * @param after the last place before them
 * @param to the last one of the places
 * @param users in the order of their places; places that have no user are left out
 */
public record Turns(int after, int to, List<Turn> users) {

  /**
   * A user whose turn it is.
   *
   * @param ticket the number of the ticket that the place belongs to
   */
  public record Turn(int place, int ticket, Claim claim) {}

  public Turns {
    users = List.copyOf(users);
    int last = after;
    for (var turn : users) {
      if (turn.place() <= last || turn.place() > to) {
        throw new IllegalArgumentException(
            "places must ascend from %d to %d: %s".formatted(after + 1, to, users));
      }
      last = turn.place();
    }
  }

  /** The same turns with the pseudonyms of the users. */
  public Turns with(Pseudonyms pseudonyms) {
    return new Turns(
        after,
        to,
        users.stream()
            .map(turn ->
                new Turn(
                    turn.place(),
                    turn.ticket(),
                    Claim.of(List.of(turn.claim().userId()), pseudonyms).getFirst()))
            .toList());
  }
}
