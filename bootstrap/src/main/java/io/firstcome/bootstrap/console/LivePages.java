package io.firstcome.bootstrap.console;

import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.load.Permit;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.admin.AdminCouponController;
import io.firstcome.bootstrap.rest.admin.AdminCouponController.RoomChangeJson;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.WholeNumber;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
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

  /** So that one operator does not take them from the others. */
  private static final int MOST_OF_OPERATOR = 6;

  private final ReadCoupon readCoupon;
  private final AdminCouponController coupons;
  private final LiveReadings readings;
  private final JsonMapper mapper;
  private final AtomicInteger open = new AtomicInteger();
  private final Map<CouponId, Integer> watched = new ConcurrentHashMap<>();
  private final Map<UserId, Integer> ofOperators = new ConcurrentHashMap<>();
  private volatile boolean isRunning;

  LivePages(
      ReadCoupon readCoupon,
      AdminCouponController coupons,
      LiveReadings readings,
      JsonMapper mapper) {
    this.readCoupon = readCoupon;
    this.coupons = coupons;
    this.readings = readings;
    this.mapper = mapper;
  }

  @GetMapping("/console/coupons/{couponId}/live")
  String page(@PathVariable String couponId, Model model) {
    var read = readCoupon.readAny(CouponIds.parse(couponId)).orElseThrow(Problem::unknownCoupon);
    model.addAttribute("coupon", CouponJson.view(read));
    return "console/live";
  }

  /**
   * Changes the waiting room while it serves.
   *
   * @param admissionsPerSecond the rate; absent if it stays
   * @param paused whether it is paused; absent if that stays
   */
  @PostMapping("/console/coupons/{couponId}/live/waiting-room")
  String changeRoom(
      @PathVariable String couponId,
      @RequestParam(required = false) @Nullable String admissionsPerSecond,
      @RequestParam(required = false) @Nullable Boolean paused,
      Caller caller,
      RedirectAttributes redirect) {
    var rate = admissionsPerSecond == null ? null : rate(admissionsPerSecond);
    var room = coupons.changeRoom(couponId, new RoomChangeJson(rate, paused, null), caller);
    var changed = Objects.requireNonNull(room.waitingRoom());
    redirect.addFlashAttribute(
        "done",
        Boolean.TRUE.equals(changed.paused())
            ? "The waiting room is paused."
            : "The waiting room serves %d a second.".formatted(changed.admissionsPerSecond()));
    return "redirect:/console/coupons/{couponId}/live";
  }

  private static int rate(String text) {
    try {
      return Math.toIntExact(WholeNumber.parse(text.strip()));
    } catch (NumberFormatException | ArithmeticException e) {
      throw Problem.malformed("The users served in a second must be a number.");
    }
  }

  /** Events {@code begin} with the points of the last minutes, and then {@code reading}. */
  @GetMapping("/console/coupons/{couponId}/live/events")
  void events(
      @PathVariable String couponId,
      Caller caller,
      HttpServletRequest request,
      HttpServletResponse response)
      throws InterruptedException {
    var id = CouponIds.parse(couponId);
    if (readCoupon.readAny(id).isEmpty()) {
      throw Problem.unknownCoupon();
    }
    if (request.getMethod().equals("HEAD")) {
      return;
    }
    var operator = caller.user();
    int ofOperator = ofOperators.merge(operator, 1, Integer::sum);
    int ofAll = open.incrementAndGet();
    watched.merge(id, 1, Integer::sum);
    try {
      if (ofOperator > MOST_OF_OPERATOR) {
        throw Problem.tooMany("You have as many live pages open as you can have.", EVERY);
      }
      if (ofAll > MOST_STREAMS) {
        throw Problem.overloaded(EVERY);
      }
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
      ofOperators.computeIfPresent(operator, (_, number) -> number == 1 ? null : number - 1);
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
