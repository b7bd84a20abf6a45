package io.firstcome.domain.waitingroom;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;

/**
 * A random order of the tickets 1 to n that follows from a seed: a permutation, of which nothing is
 * stored for any ticket. Whoever knows the seed and n can compute the place of each ticket.
 *
 * <p>It is the swap-or-not shuffle with {@value #ROUNDS} rounds and SHA-256, as {@code
 * compute_shuffled_index} of Ethereum's consensus specification defines it for the indexes 0 to n -
 * 1. Each round is its own inverse, so the rounds in reverse order are the inverse permutation.
 *
 * @see <a href="https://doi.org/10.1007/978-3-642-32009-5_1">Hoang, Morris and Rogaway, An
 *     Enciphering Scheme Based on a Card Shuffle</a>
 * @see <a
 *     href="https://github.com/ethereum/consensus-specs/blob/master/specs/phase0/beacon-chain.md#compute_shuffled_index">
 *     compute_shuffled_index</a>
 */
public final class Draw {

  /** The most tickets that can be drawn: more than the largest stock has slots. */
  public static final int MAX_TICKETS = 1_000_000_000;

  static final int ROUNDS = 90;

  private static final int BITS_OF_HASH = 256;

  private final int tickets;

  private final byte[] seed;

  /** The pivot of each round. */
  private final int[] pivots = new int[ROUNDS];

  /**
   * A draw among tickets.
   *
   * @param tickets how many are drawn, 1 to {@value #MAX_TICKETS}
   */
  public Draw(DrawSeed seed, int tickets) {
    if (tickets < 1 || tickets > MAX_TICKETS) {
      throw new IllegalArgumentException("tickets must be 1 to " + MAX_TICKETS + ": " + tickets);
    }
    this.tickets = tickets;
    this.seed = seed.bytes();
    var digest = DrawSeed.sha256();
    for (int round = 0; round < ROUNDS; round++) {
      digest.update(this.seed);
      digest.update((byte) round);
      long hash = ByteBuffer.wrap(digest.digest()).order(ByteOrder.LITTLE_ENDIAN).getLong();
      pivots[round] = (int) Long.remainderUnsigned(hash, tickets);
    }
  }

  /** How many tickets are drawn. */
  public int tickets() {
    return tickets;
  }

  /**
   * The place of the ticket in the order, 1 to {@link #tickets}.
   *
   * @param ticket 1 to {@link #tickets}
   */
  public int placeOf(int ticket) {
    int index = indexOf("ticket", ticket);
    var digest = DrawSeed.sha256();
    for (int round = 0; round < ROUNDS; round++) {
      index = swappedOrNot(index, round, digest);
    }
    return index + 1;
  }

  /**
   * The ticket at that place of the order.
   *
   * @param place 1 to {@link #tickets}
   */
  public int ticketAt(int place) {
    int index = indexOf("place", place);
    var digest = DrawSeed.sha256();
    for (int round = ROUNDS - 1; round >= 0; round--) {
      index = swappedOrNot(index, round, digest);
    }
    return index + 1;
  }

  private int indexOf(String member, int number) {
    if (number < 1 || number > tickets) {
      throw new IllegalArgumentException(
          "%s must be 1 to %d: %d".formatted(member, tickets, number));
    }
    return number - 1;
  }

  /** The pair of an index and its counterpart is swapped if a bit of a hash says so. */
  private int swappedOrNot(int index, int round, MessageDigest digest) {
    int counterpart = Math.floorMod(pivots[round] - index, tickets);
    int decisive = Math.max(index, counterpart);
    digest.update(seed);
    digest.update((byte) round);
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      digest.update((byte) ((decisive / BITS_OF_HASH) >>> shift));
    }
    int bit = decisive % BITS_OF_HASH;
    boolean isSwapped = ((digest.digest()[bit / Byte.SIZE] >> (bit % Byte.SIZE)) & 1) == 1;
    return isSwapped ? counterpart : index;
  }
}
