package io.firstcome.benchmark.bench.service;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Turns the {@link TraceSwitch}, under a path that the service's security protects. */
@RestController
public class TraceSwitchController {

  private final TraceSwitch traceSwitch;

  TraceSwitchController(TraceSwitch traceSwitch) {
    this.traceSwitch = traceSwitch;
  }

  /** Turns it on or off, which is the same for all coupons. */
  @PostMapping("/api/v1/coupons/{couponId}/traces/{state}")
  public String turn(@PathVariable String state) {
    traceSwitch.turn(state.equals("on"));
    return state;
  }
}
