package io.firstcome.domain.port;

/**
 * Events that are not published yet. The transactions that write user coupons put them here, so
 * that none is missing and none tells of what was rolled back. Failures are {@link
 * DatabaseUnavailableException}s.
 */
public interface EventOutbox {

  /**
   * Has the oldest events published and then forgets them; if publishing fails, they stay and its
   * exception is thrown. A crash in between has them published again.
   *
   * <p>Only one caller publishes at a time, over all instances, and never two events of one user
   * coupon in one call. So whoever passes over what it has seen before sees each user coupon's
   * events in the order of their revisions, even if publishing is repeated or overtaken.
   *
   * @param max no more than so many, unless the oldest ones were recorded together and are more
   * @return how many were published; 0 if there are none or somebody else is publishing
   */
  int publishNext(int max, EventPublisher publisher);
}
