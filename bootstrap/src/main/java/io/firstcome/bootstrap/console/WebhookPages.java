package io.firstcome.bootstrap.console;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.webhook.AdminWebhookController;
import io.firstcome.bootstrap.rest.webhook.WebhookJson;
import io.firstcome.bootstrap.security.Caller;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The pages with the webhooks and their deliveries. */
@Controller
class WebhookPages {

  private static final String PAGE = "25";
  private static final String DONE = "done";
  private static final String TO_WEBHOOK = "redirect:/console/webhooks/{id}";

  private final AdminWebhookController webhooks;

  WebhookPages(AdminWebhookController webhooks) {
    this.webhooks = webhooks;
  }

  @GetMapping("/console/webhooks")
  String list(Model model) {
    model.addAttribute("webhooks", webhooks.list().items());
    return "console/webhooks";
  }

  @PostMapping("/console/webhooks")
  String add(
      @RequestParam(defaultValue = "") String url, Caller caller, RedirectAttributes redirect) {
    var added =
        Objects.requireNonNull(webhooks.add(new WebhookJson.Addition(url), caller).getBody());
    show(added, redirect);
    redirect.addAttribute("id", added.webhook().webhookId());
    return TO_WEBHOOK;
  }

  private static void show(WebhookJson.WithSecret withSecret, RedirectAttributes redirect) {
    redirect.addFlashAttribute("secret", withSecret.secret());
  }

  /**
   * A webhook with its log.
   *
   * @param state of the deliveries that are shown; empty for all
   */
  @GetMapping("/console/webhooks/{id}")
  String webhook(
      @PathVariable String id,
      @RequestParam(defaultValue = "") String state,
      @RequestParam(defaultValue = "") String after,
      Model model) {
    model.addAttribute("webhook", webhooks.read(id));
    model.addAttribute("state", state);
    model.addAttribute(
        "log", webhooks.deliveries(id, emptyToNull(state), PAGE, emptyToNull(after)));
    return "console/webhook";
  }

  private static @Nullable String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }

  /**
   * Does what a button of a webhook says.
   *
   * @param revision of the webhook as the page has shown it
   * @param confirmation the number of the webhook, which the operator has typed
   */
  @PostMapping("/console/webhooks/{id}/{action}")
  String act(
      @PathVariable String id,
      @PathVariable String action,
      @RequestParam(defaultValue = "") String revision,
      @RequestParam(defaultValue = "") String confirmation,
      @RequestParam(defaultValue = "") String url,
      Caller caller,
      RedirectAttributes redirect) {
    var ifMatch = '"' + revision + '"';
    switch (action) {
      case "address" -> webhooks.edit(id, ifMatch, WebhookJson.address(url), caller);
      case "enable" -> webhooks.edit(id, ifMatch, WebhookJson.enabled(true), caller);
      case "disable" -> {
        requireConfirmed(id, confirmation);
        webhooks.edit(id, ifMatch, WebhookJson.enabled(false), caller);
      }
      case "secret" -> {
        requireConfirmed(id, confirmation);
        show(webhooks.rotateSecret(id, ifMatch, caller), redirect);
      }
      case "delete" -> {
        requireConfirmed(id, confirmation);
        webhooks.delete(id, ifMatch, caller);
        redirect.addFlashAttribute(DONE, "The webhook %s is deleted.".formatted(id));
        return "redirect:/console/webhooks";
      }
      case "test" -> {
        long deliveryId = webhooks.test(id, caller).deliveryId();
        redirect.addFlashAttribute(
            DONE, "Delivery %d is the test. Load the page again to see it.".formatted(deliveryId));
        return TO_WEBHOOK;
      }
      default -> throw Problem.of(ProblemType.NOT_FOUND, "There is no such action.");
    }
    redirect.addFlashAttribute(DONE, "The webhook is changed.");
    return TO_WEBHOOK;
  }

  @PostMapping("/console/webhooks/{id}/deliveries/{deliveryId}/replay")
  String replay(
      @PathVariable String id,
      @PathVariable String deliveryId,
      Caller caller,
      RedirectAttributes redirect) {
    webhooks.replay(id, deliveryId, caller);
    redirect.addFlashAttribute(DONE, "The delivery %s is attempted again.".formatted(deliveryId));
    return TO_WEBHOOK;
  }

  private static void requireConfirmed(String id, String confirmation) {
    if (!confirmation.strip().equals(id)) {
      throw Problem.malformed("To confirm, type the number of the webhook: " + id + ".");
    }
  }
}
