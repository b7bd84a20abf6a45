package io.firstcome.bootstrap.load;

import com.netflix.concurrency.limits.Limiter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicBoolean;

/** The permit to handle a request. */
public final class Permit {

  private static final String ATTRIBUTE = Permit.class.getName();

  private final Limiter.Listener listener;
  private final AtomicBoolean isReleased = new AtomicBoolean();

  Permit(Limiter.Listener listener) {
    this.listener = listener;
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
      listener.onSuccess();
    }
  }
}
