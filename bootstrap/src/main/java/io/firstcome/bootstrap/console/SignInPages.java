package io.firstcome.bootstrap.console;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.security.SignInMethods;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The pages of the console for those who are not signed in, or may not do something. */
@Controller
class SignInPages {

  private static final String PROBLEM = "io.firstcome.bootstrap.problem.Problem";

  private final SignInMethods methods;

  SignInPages(SignInMethods methods) {
    this.methods = methods;
  }

  /** Reads the query here: an unreadable one is refused, and in a template it would be an error. */
  @GetMapping("/console/login")
  String login(
      @RequestParam(required = false) @Nullable String failed,
      @RequestParam(required = false) @Nullable String busy,
      @RequestParam(name = "signed-out", required = false) @Nullable String signedOut,
      Model model) {
    model.addAttribute("hasFailed", failed != null);
    model.addAttribute("isBusy", busy != null);
    model.addAttribute("isSignedOut", signedOut != null);
    return page(model);
  }

  private String page(Model model) {
    model.addAttribute("methods", methods);
    return "console/login";
  }

  /** In place of the answer to a request that was refused. */
  @RequestMapping("/console/denied")
  String denied(HttpServletResponse response) {
    response.setStatus(HttpServletResponse.SC_FORBIDDEN);
    return "console/denied";
  }

  /** In place of the answer to an attempt to sign in. */
  @RequestMapping("/console/too-many-sign-ins")
  String tooMany(HttpServletResponse response, Model model) {
    response.setStatus(HttpStatus.TOO_MANY_REQUESTS.value());
    response.setHeader(HttpHeaders.RETRY_AFTER, "60");
    model.addAttribute("isLimited", true);
    return page(model);
  }

  /** In place of the answer to a request beyond a limit. */
  @RequestMapping("/console/refused")
  String refused(@RequestAttribute(name = PROBLEM, required = false) @Nullable Problem problem) {
    throw problem == null ? notFound() : problem;
  }

  /** Whatever has no page. */
  @RequestMapping("/console/**")
  String unknown() {
    throw notFound();
  }

  private static Problem notFound() {
    return Problem.of(ProblemType.NOT_FOUND, "There is no such page.");
  }

  @GetMapping("/console")
  String start() {
    return "redirect:/console/coupons";
  }
}
