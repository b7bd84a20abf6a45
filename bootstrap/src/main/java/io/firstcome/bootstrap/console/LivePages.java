package io.firstcome.bootstrap.console;

import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.load.Permit;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.domain.coupon.CouponId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page on which an operator watches a coupon, and the stream of its values. Each stream has a
 * virtual thread, so that a browser which does not read holds nothing but its own stream; the
 * connector closes it.
 */
@Controller
class LivePages implements SmartLifecycle {

  private static final Duration EVERY = Duration.ofSeconds(1);

  /** The browser connects again after it: so the session is checked. */
  private static final Duration LONGEST_STREAM = Duration.ofMinutes(5);

  /** The pages that all operators have open at this instance. */
  private static final int MOST_STREAMS = 50;

  private final ReadCoupon readCoupon;
  private final LiveReadings readings;
  private final JsonMapper mapper;
  private final AtomicInteger open = new AtomicInteger();
  private final Map<CouponId, Integer> watched = new ConcurrentHashMap<>();
  private volatile boolean isRunning;

  LivePages(ReadCoupon readCoupon, LiveReadings readings, JsonMapper mapper) {
    this.readCoupon = readCoupon;
    this.readings = readings;
    this.mapper = mapper;
  }

  @GetMapping("/console/coupons/{couponId}/live")
  String page(@PathVariable String couponId, Model model) {
    var read = readCoupon.readAny(CouponIds.parse(couponId)).orElseThrow(Problem::unknownCoupon);
    model.addAttribute("coupon", CouponJson.view(read));
    return "console/live";
  }

  /** Events {@code begin} with the points of the last minutes, and then {@code reading}. */
  @GetMapping("/console/coupons/{couponId}/live/events")
  void events(
      @PathVariable String couponId, HttpServletRequest request, HttpServletResponse response)
      throws InterruptedException {
    var id = CouponIds.parse(couponId);
    if (readCoupon.readAny(id).isEmpty()) {
      throw Problem.unknownCoupon();
    }
    if (open.incrementAndGet() > MOST_STREAMS) {
      open.decrementAndGet();
      throw Problem.overloaded(EVERY);
    }
    watched.merge(id, 1, Integer::sum);
    try {
      Permit.release(request);
      response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
      response.setCharacterEncoding(StandardCharsets.UTF_8);
      // Otherwise nginx would keep events back.
      response.setHeader("X-Accel-Buffering", "no");
      send(id, response);
    } catch (IOException e) {
      // The browser is gone, or does not read.
    } finally {
      open.decrementAndGet();
      watched.computeIfPresent(
          id,
          (coupon, number) -> {
            if (number > 1) {
              return number - 1;
            }
            readings.forget(coupon);
            return null;
          });
    }
  }

  private void send(CouponId id, HttpServletResponse response)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    write("begin", readings.points(id, LiveReadings.BEGIN), response);
    while (isRunning && System.nanoTime() - begun < LONGEST_STREAM.toNanos()) {
      write("reading", readings.read(id), response);
      Thread.sleep(EVERY);
    }
  }

  private void write(String event, Object data, HttpServletResponse response) throws IOException {
    var text = "event: %s\ndata: %s\n\n".formatted(event, mapper.writeValueAsString(data));
    response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    response.flushBuffer();
  }

  @Override
  public void start() {
    isRunning = true;
  }

  /** Ends all streams within a second, so that the web server can stop. */
  @Override
  public void stop() {
    isRunning = false;
  }

  @Override
  public boolean isRunning() {
    return isRunning;
  }

  /** Stops before the web server, which waits for its requests. */
  @Override
  public int getPhase() {
    return DEFAULT_PHASE;
  }
}
