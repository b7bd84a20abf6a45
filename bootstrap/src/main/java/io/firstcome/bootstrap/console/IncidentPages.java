package io.firstcome.bootstrap.console;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.firstcome.application.recording.ReadLateClaims;
import io.firstcome.bootstrap.incident.RecentDiscrepancies;
import io.firstcome.bootstrap.operation.InstanceWatch;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.admin.AdminDeadLetterController;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.instance.SeenInstance;
import io.firstcome.domain.observation.ConsistencyObservation.DiscrepanciesFound;
import io.firstcome.domain.port.ServerUnavailableException;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The page with what went wrong: recoveries, late claims, discrepancies and dead letters. */
@Controller
class IncidentPages {

  private static final String PAGE = "25";
  private static final int MOST_LATE_CLAIMS = 10_000;

  private final InstanceWatch instances;
  private final RecentDiscrepancies discrepancies;

  /** Those of a deployment with Redis and a broker. */
  private final @Nullable ReadLateClaims readLateClaims;

  private final @Nullable AdminDeadLetterController letters;

  IncidentPages(
      InstanceWatch instances,
      RecentDiscrepancies discrepancies,
      ObjectProvider<ReadLateClaims> readLateClaims,
      ObjectProvider<AdminDeadLetterController> letters) {
    this.instances = instances;
    this.discrepancies = discrepancies;
    this.readLateClaims = readLateClaims.getIfAvailable();
    this.letters = letters.getIfAvailable();
  }

  /** The discrepancies of a coupon. */
  record Found(String couponId, String text, boolean isHealing) {

    static Found of(DiscrepanciesFound found) {
      var byKind =
          found.discrepancies().stream()
              .collect(
                  groupingBy(
                      one -> one.kind().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                      TreeMap::new,
                      counting()));
      return new Found(
          found.couponId().value(),
          byKind.entrySet().stream()
              .map(kind -> "%,d × %s".formatted(kind.getValue(), kind.getKey()))
              .collect(Collectors.joining(", ")),
          found.healing());
    }
  }

  /** The page; only what changes, if a script asks for it. */
  @GetMapping("/console/incidents")
  String incidents(
      @RequestParam(defaultValue = "") String after,
      @RequestParam(required = false) @Nullable String part,
      Model model) {
    model.addAttribute("instances", instances.instances().map(IncidentPages::running).orElse(null));
    model.addAttribute("discrepancies", discrepancies.list().stream().map(Found::of).toList());
    model.addAttribute("mostLateClaims", MOST_LATE_CLAIMS);
    model.addAttribute("after", after);
    try {
      model.addAttribute(
          "lateClaims", readLateClaims == null ? 0 : readLateClaims.count(MOST_LATE_CLAIMS));
      if (part == null && letters != null) {
        model.addAttribute("letters", letters.page(PAGE, after.isEmpty() ? null : after));
      }
      model.addAttribute("isReachable", true);
    } catch (ServerUnavailableException e) {
      model.addAttribute("isReachable", false);
    }
    return part == null ? "console/incidents" : "console/incidents :: part";
  }

  private static List<SeenInstance> running(List<SeenInstance> seen) {
    return seen.stream().filter(one -> !one.isSilent()).toList();
  }

  /**
   * Does what a button of a dead letter says.
   *
   * @param confirmation the number of the letter, which the operator has typed
   */
  @PostMapping("/console/incidents/dead-letters/{id}/{action}")
  String act(
      @PathVariable String id,
      @PathVariable String action,
      @RequestParam(defaultValue = "") String confirmation,
      Caller caller,
      RedirectAttributes redirect) {
    if (letters == null) {
      throw noSuchAction();
    }
    if (!confirmation.strip().equals(id)) {
      throw Problem.malformed("To confirm, type the number of the dead letter: " + id + ".");
    }
    switch (action) {
      case "replay" -> letters.replay(id, caller);
      case "discard" -> letters.discard(id, caller);
      default -> throw noSuchAction();
    }
    redirect.addFlashAttribute(
        "done",
        action.equals("replay")
            ? "The dead letter %s is recorded.".formatted(id)
            : "The dead letter %s is discarded.".formatted(id));
    return "redirect:/console/incidents";
  }

  private static Problem noSuchAction() {
    return Problem.of(ProblemType.NOT_FOUND, "There is no such action.");
  }
}
