package io.firstcome.domain.waitingroom;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * In which interval the places of a waiting room were served, for as long as their admissions last.
 * So every instance computes the same end for the admission of a place, and nothing is stored for
 * each of them. Times are those of {@link ServingNumber#counted}.
 *
 * @param admissionTime how long an admission lasts, in whole seconds; at most one interval longer.
 *     It never changes, as the ends of the intervals depend on it
 * @param marks the intervals in which places were served, from the oldest one; each later one has a
 *     later end and a higher place
 */
public record ServingHistory(Duration admissionTime, List<Mark> marks) {

  /** How many intervals an admission lasts. */
  static final int INTERVALS = 8;

  /**
   * An interval in which places were served.
   *
   * @param end of the interval
   * @param served the last place
   */
  public record Mark(Duration end, int served) {}

  public ServingHistory {
    if (!admissionTime.isPositive()
        || !admissionTime.equals(admissionTime.truncatedTo(ChronoUnit.SECONDS))) {
      throw new IllegalArgumentException(
          "admissionTime must be positive, in whole seconds: " + admissionTime);
    }
    marks = List.copyOf(marks);
    if (marks.size() > INTERVALS + 2) {
      throw new IllegalArgumentException("too many marks: " + marks);
    }
    for (int i = 1; i < marks.size(); i++) {
      var mark = marks.get(i);
      var before = marks.get(i - 1);
      if (mark.end().compareTo(before.end()) <= 0 || mark.served() <= before.served()) {
        throw new IllegalArgumentException("marks must be in ascending order: " + marks);
      }
    }
  }

  /** The history of a room that has served nobody. */
  public static ServingHistory startingWith(Duration admissionTime) {
    return new ServingHistory(admissionTime, List.of());
  }

  /**
   * The history after places were served.
   *
   * @param number not earlier than that of the call before
   */
  public ServingHistory with(ServingNumber number) {
    if (number.served() <= (marks.isEmpty() ? 0 : marks.getLast().served())) {
      return this;
    }
    var extended = new ArrayList<>(marks);
    var mark = new Mark(endOfInterval(number.counted()), number.served());
    if (!extended.isEmpty() && extended.getLast().end().equals(mark.end())) {
      extended.removeLast();
    }
    extended.add(mark);
    // The newest mark of those whose admissions are over stays: places before it have none.
    while (extended.size() > 1 && isOver(extended.get(1), number.counted())) {
      extended.removeFirst();
    }
    return new ServingHistory(admissionTime, extended);
  }

  /** The history of the places up to this one. */
  ServingHistory upTo(int place) {
    var kept = new ArrayList<Mark>();
    for (var mark : marks) {
      if (mark.served() >= place) {
        if (place > (kept.isEmpty() ? 0 : kept.getLast().served())) {
          kept.add(new Mark(mark.end(), place));
        }
        break;
      }
      kept.add(mark);
    }
    return new ServingHistory(admissionTime, kept);
  }

  /**
   * When the admission of a place ends, by the counted time; the same whenever it is asked before.
   *
   * @param place one that is served, from 1
   * @throws IllegalArgumentException if the place is not served
   */
  public Duration end(int place) {
    return marks.stream()
        .filter(mark -> place >= 1 && place <= mark.served())
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException("place %d is not served: %s".formatted(place, marks)))
        .end()
        .plus(admissionTime);
  }

  /**
   * How long the admission of a place still lasts, counted from a reading of the number; negative
   * or zero if it is over. It ends at the same time whenever this is asked before that.
   *
   * @param place one that is served, from 1
   * @param number the latest one that this history contains, or a later one
   * @throws IllegalArgumentException if the place is not served
   */
  public Duration remaining(int place, ServingNumber number) {
    return end(place).minus(number.counted());
  }

  private boolean isOver(Mark mark, Duration counted) {
    return mark.end().plus(admissionTime).compareTo(counted) <= 0;
  }

  private Duration endOfInterval(Duration counted) {
    var interval = admissionTime.dividedBy(INTERVALS);
    return interval.multipliedBy(counted.dividedBy(interval) + 1);
  }
}
