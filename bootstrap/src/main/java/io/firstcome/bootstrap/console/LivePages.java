package io.firstcome.bootstrap.console;

import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.rest.admin.AdminCouponController;
import io.firstcome.bootstrap.rest.admin.AdminCouponController.RoomChangeJson;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.WholeNumber;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.bootstrap.stream.EventStream;
import io.firstcome.bootstrap.stream.EventStreams;
import io.firstcome.bootstrap.stream.StreamLifecycle;
import io.firstcome.domain.coupon.CouponId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.json.JsonMapper;

/** The page on which an operator watches a coupon, and the stream of its values. */
@Controller
class LivePages {

  /** The pages that all operators have open at this instance. */
  private static final int MOST_STREAMS = 50;

  /** So that one operator does not take them from the others. */
  private static final int MOST_OF_OPERATOR = 6;

  private final ReadCoupon readCoupon;
  private final AdminCouponController coupons;
  private final LiveReadings readings;
  private final JsonMapper mapper;
  private final EventStreams streams;
  private final Map<CouponId, Integer> watched = new ConcurrentHashMap<>();

  LivePages(
      ReadCoupon readCoupon,
      AdminCouponController coupons,
      LiveReadings readings,
      JsonMapper mapper,
      StreamLifecycle lifecycle) {
    this.readCoupon = readCoupon;
    this.coupons = coupons;
    this.readings = readings;
    this.mapper = mapper;
    this.streams =
        new EventStreams(
            MOST_STREAMS,
            MOST_OF_OPERATOR,
            "You have as many live pages open as you can have.",
            lifecycle);
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
      HttpServletResponse response) {
    var id = CouponIds.parse(couponId);
    if (readCoupon.readAny(id).isEmpty()) {
      throw Problem.unknownCoupon();
    }
    if (request.getMethod().equals("HEAD")) {
      return;
    }
    watched.merge(id, 1, Integer::sum);
    try {
      streams.send(caller.user(), request, response, stream -> send(id, stream));
    } finally {
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

  private void send(CouponId id, EventStream stream) throws IOException, InterruptedException {
    stream.send("begin", mapper.writeValueAsString(readings.points(id, LiveReadings.BEGIN)));
    do {
      stream.send("reading", mapper.writeValueAsString(readings.read(id)));
    } while (stream.awaitNext());
  }
}
