package io.firstcome.systemtests.kit;

import static java.util.Comparator.comparingLong;

import io.firstcome.systemtests.kit.StoredCoupon.Row;
import io.firstcome.systemtests.kit.Violation.Invariant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks the order of slots (I9): a user whose answer ended before another user's first request
 * began has the lower slot, and a user whose first request began after a "sold out" answer gets no
 * slot. It applies where no slot was returned and no recovery took place.
 *
 * <p>Users in the order in which they began are merged with answers in the order in which they
 * ended; of the answers that ended before, only the highest slot matters. So the cost is two sorts
 * and one pass for any number of requests.
 */
public final class OrderCheck {

  private OrderCheck() {}

  /** A user's time span: from the first request to the first answer that contains a slot. */
  private record Span(String user, int slot, long begin, long end) {}

  /** All violations of I9. */
  public static List<Violation> of(List<RecordedClaim> claims, StoredCoupon stored) {
    List<Span> winners = spans(claims, stored);
    List<Violation> found = new ArrayList<>();
    List<Span> byEnd = new ArrayList<>(winners);
    byEnd.sort(comparingLong(Span::end));
    winners.sort(comparingLong(Span::begin));
    long soldOutAt =
        claims.stream()
            .filter(RecordedClaim::isSoldOut)
            .mapToLong(RecordedClaim::endNanos)
            .min()
            .orElse(Long.MAX_VALUE);
    Span highest = new Span("", 0, 0, 0);
    int next = 0;
    for (Span later : winners) {
      for (; next < byEnd.size() && byEnd.get(next).end() < later.begin(); next++) {
        highest = byEnd.get(next).slot() > highest.slot() ? byEnd.get(next) : highest;
      }
      if (highest.slot() > later.slot()) {
        found.add(new Violation(Invariant.I9, "%s ended before %s".formatted(highest, later)));
      }
      if (soldOutAt < later.begin()) {
        found.add(new Violation(Invariant.I9, "%s began after a \"sold out\"".formatted(later)));
      }
    }
    return List.copyOf(found);
  }

  private static List<Span> spans(List<RecordedClaim> claims, StoredCoupon stored) {
    Map<String, Long> firstBegin = new HashMap<>();
    Map<String, Long> firstEnd = new HashMap<>();
    for (RecordedClaim claim : claims) {
      firstBegin.merge(claim.user(), claim.beginNanos(), Math::min);
      if (claim.isOk()) {
        firstEnd.merge(claim.user(), claim.endNanos(), Math::min);
      }
    }
    List<Span> spans = new ArrayList<>();
    for (Row row : stored.rows()) {
      Long begin = firstBegin.get(row.user());
      // A row without a request has no time span; I4 reports it.
      if (begin != null) {
        long end = firstEnd.getOrDefault(row.user(), Long.MAX_VALUE);
        spans.add(new Span(row.user(), row.slot(), begin, end));
      }
    }
    return spans;
  }
}
