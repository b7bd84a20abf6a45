package io.firstcome.bootstrap.console;

import io.firstcome.bootstrap.security.SignInMethods;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** The pages of the console for those who are not signed in, or may not do something. */
@Controller
class SignInPages {

  private final SignInMethods methods;

  SignInPages(SignInMethods methods) {
    this.methods = methods;
  }

  @GetMapping("/console/login")
  String login(Model model) {
    model.addAttribute("methods", methods);
    return "console/login";
  }

  /** In place of the answer to a request that was refused. */
  @RequestMapping("/console/denied")
  String denied(HttpServletResponse response) {
    response.setStatus(HttpServletResponse.SC_FORBIDDEN);
    return "console/denied";
  }

  @GetMapping("/console")
  String start() {
    return "redirect:/console/coupons";
  }
}
