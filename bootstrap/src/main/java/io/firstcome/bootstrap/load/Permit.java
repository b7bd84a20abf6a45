package io.firstcome.bootstrap.load;

import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicBoolean;

/** The permit to handle a request. */
public final class Permit {

  private static final String ATTRIBUTE = Permit.class.getName();

  private final Runnable end;
  private final AtomicBoolean isReleased = new AtomicBoolean();

  /**
   * A permit that was acquired.
   *
   * @param end reports that the request has ended
   */
  Permit(Runnable end) {
    this.end = end;
  }

  void attachTo(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /**
   * Releases the permit of the request, which from now on only waits: it takes no processor time,
   * and its time says nothing about the load.
   */
  public static void release(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Permit permit) {
      permit.release();
    }
  }

  /** Counts the time since it was acquired. Another call has no effect. */
  void release() {
    if (isReleased.compareAndSet(false, true)) {
      end.run();
    }
  }
}
