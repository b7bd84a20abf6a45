package io.firstcome.bootstrap.load;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Bounds what each caller has in progress at a time.
 *
 * @param <K> names a caller
 */
public final class InProgress<K> {

  private final int most;
  private final ConcurrentHashMap<K, Integer> numbers = new ConcurrentHashMap<>();

  /**
   * @param most of each caller
   */
  public InProgress(int most) {
    this.most = most;
  }

  /** Whether the caller may begin one more; after its end, {@link #end} must be called. */
  public boolean begin(K caller) {
    boolean mayBegin = numbers.merge(caller, 1, Integer::sum) <= most;
    if (!mayBegin) {
      end(caller);
    }
    return mayBegin;
  }

  /** Ends one that was begun. */
  public void end(K caller) {
    numbers.computeIfPresent(caller, (_, number) -> number == 1 ? null : number - 1);
  }
}
