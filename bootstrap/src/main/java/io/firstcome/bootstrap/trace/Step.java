package io.firstcome.bootstrap.trace;

import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.UserCouponId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What was done for sampled claims, from which spans are made later. */
sealed interface Step {

  /** The number of its spans. */
  int spans();

  Period period();

  /** When it was done. */
  record Period(Instant end, Duration took) {

    long startNanos() {
      return nanos(end.minus(took));
    }

    long endNanos() {
      return nanos(end);
    }

    private static long nanos(Instant time) {
      return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
    }
  }

  /**
   * A claim as a step has it.
   *
   * @param known the id of its user coupon, or null if it has to be derived
   * @param tags of its span: texts and {@link Long}s, none of which has a user or a code
   */
  record Part(
      CouponId couponId, UserId user, @Nullable UserCouponId known, Map<String, Object> tags) {

    public Part {
      tags = Map.copyOf(tags);
    }
  }

  /**
   * A request was answered.
   *
   * @param accepted whether its claim was accepted, which happens once
   * @param traceparent as the client sent it, valid or not, or null
   */
  record Request(Part claim, boolean accepted, @Nullable String traceparent, Period period)
      implements Step {

    @Override
    public int spans() {
      return 1;
    }
  }

  /**
   * Claims went a stretch of their way together.
   *
   * @param claims those that are sampled
   * @param tags of the span of all
   */
  record Batch(Stage stage, List<Part> claims, Map<String, Object> tags, Period period)
      implements Step {

    /** The most claims of one step: as many links as OpenTelemetry keeps of a span. */
    static final int MOST_CLAIMS = 128;

    public Batch {
      claims = List.copyOf(claims);
      tags = Map.copyOf(tags);
    }

    @Override
    public int spans() {
      return 1 + claims.size();
    }
  }

  /** A stretch of the way of a claim. */
  enum Stage {
    COMMIT("group commit", "commit claim"),
    PUBLISH("publish claims", "publish claim"),
    RECORD("record claims", "record claim");

    /** The name of the span of all claims. */
    final String ofAll;

    /** The name of the span of one claim. */
    final String ofOne;

    Stage(String ofAll, String ofOne) {
      this.ofAll = ofAll;
      this.ofOne = ofOne;
    }
  }
}
