package io.firstcome.bootstrap.rest.webhook;

import io.firstcome.application.webhook.ManageWebhooks;
import io.firstcome.application.webhook.ManageWebhooks.Result;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.admin.Revisions;
import io.firstcome.bootstrap.rest.request.MemberReader;
import io.firstcome.bootstrap.rest.request.PageLimit;
import io.firstcome.bootstrap.rest.request.WholeNumber;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.webhook.DeliveryId;
import io.firstcome.domain.webhook.WebhookDelivery;
import io.firstcome.domain.webhook.WebhookEndpoint;
import io.firstcome.domain.webhook.WebhookId;
import java.net.URI;
import java.time.InstantSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints with which operators manage webhooks. The console calls them too. */
@RestController
@RequestMapping(AdminWebhookController.PATH)
public class AdminWebhookController {

  static final String PATH = "/api/v1/admin/webhooks";

  private static final String WEBHOOK = "webhook";

  private final ManageWebhooks manageWebhooks;
  private final InstantSource clock;

  AdminWebhookController(ManageWebhooks manageWebhooks, InstantSource clock) {
    this.manageWebhooks = manageWebhooks;
    this.clock = clock;
  }

  @GetMapping
  public WebhookJson.ListJson list() {
    return new WebhookJson.ListJson(manageWebhooks.all().stream().map(this::view).toList());
  }

  @PostMapping
  public ResponseEntity<WebhookJson.WithSecret> add(
      @RequestBody WebhookJson.Addition json, Caller caller) {
    var reader = new Reader();
    var url = reader.read("url", json.url(), Reader::url);
    if (url == null) {
      throw reader.invalid();
    }
    var added = done(manageWebhooks.add(url, caller.operator()));
    return ResponseEntity.created(URI.create(PATH + "/" + added.id())).body(withSecret(added));
  }

  @GetMapping("/{webhookId}")
  public WebhookJson.View read(@PathVariable String webhookId) {
    return view(found(webhookId));
  }

  @PatchMapping("/{webhookId}")
  public WebhookJson.View edit(
      @PathVariable String webhookId,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
      @RequestBody WebhookJson.Edit json,
      Caller caller) {
    int revision = Revisions.required(ifMatch, WEBHOOK);
    var reader = new Reader();
    var url = reader.optional("url", json.url(), Reader::url);
    if (reader.hasErrors()) {
      throw reader.invalid();
    }
    return view(
        done(
            manageWebhooks.change(
                id(webhookId), revision, url, json.enabled(), caller.operator())));
  }

  @DeleteMapping("/{webhookId}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  public void delete(
      @PathVariable String webhookId,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
      Caller caller) {
    int revision = Revisions.required(ifMatch, WEBHOOK);
    var _ = done(manageWebhooks.delete(id(webhookId), revision, caller.operator()));
  }

  @PostMapping("/{webhookId}/secret")
  public WebhookJson.WithSecret rotateSecret(
      @PathVariable String webhookId,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
      Caller caller) {
    int revision = Revisions.required(ifMatch, WEBHOOK);
    return withSecret(
        done(manageWebhooks.rotateSecret(id(webhookId), revision, caller.operator())));
  }

  @PostMapping("/{webhookId}/test")
  @ResponseStatus(HttpStatus.ACCEPTED)
  public WebhookJson.Accepted test(@PathVariable String webhookId, Caller caller) {
    // A test changes nothing, but a caller without a name could not send it either.
    var _ = caller.operator();
    var webhook = enabled(webhookId);
    return manageWebhooks
        .test(webhook.id())
        .map(id -> new WebhookJson.Accepted(id.number()))
        .orElseThrow(AdminWebhookController::unknown);
  }

  @GetMapping("/{webhookId}/deliveries")
  public WebhookJson.Page deliveries(
      @PathVariable String webhookId,
      @RequestParam(required = false) @Nullable String state,
      @RequestParam(defaultValue = PageLimit.DEFAULT) String limit,
      @RequestParam(required = false) @Nullable String after) {
    int max = PageLimit.parse(limit);
    var webhook = found(webhookId);
    var deliveries =
        manageWebhooks.page(
            webhook.id(),
            state == null ? null : state(state),
            after == null ? null : after(after),
            max + 1);
    var page = deliveries.subList(0, Math.min(max, deliveries.size()));
    return new WebhookJson.Page(
        page.stream().map(WebhookJson.Delivery::of).toList(),
        deliveries.size() > max ? page.getLast().id().toString() : null);
  }

  @PostMapping("/{webhookId}/deliveries/{deliveryId}/replay")
  @ResponseStatus(HttpStatus.ACCEPTED)
  public WebhookJson.Accepted replay(
      @PathVariable String webhookId, @PathVariable String deliveryId, Caller caller) {
    var webhook = enabled(webhookId);
    var id = deliveryId(deliveryId);
    if (id == null || !manageWebhooks.replay(webhook.id(), id, caller.operator())) {
      throw Problem.of(
          ProblemType.NOT_GIVEN_UP,
          "There is no delivery with this id that was given up; nothing happened. It may be"
              + " attempted again already, or was removed.");
    }
    return new WebhookJson.Accepted(id.number());
  }

  private WebhookJson.View view(WebhookEndpoint endpoint) {
    return WebhookJson.View.of(endpoint, manageWebhooks.pending(endpoint.id()), clock.instant());
  }

  private WebhookJson.WithSecret withSecret(WebhookEndpoint endpoint) {
    return new WebhookJson.WithSecret(view(endpoint), endpoint.secret().text());
  }

  private WebhookEndpoint found(String webhookId) {
    return manageWebhooks.find(id(webhookId)).orElseThrow(AdminWebhookController::unknown);
  }

  private WebhookEndpoint enabled(String webhookId) {
    var webhook = found(webhookId);
    if (!webhook.isEnabled()) {
      throw Problem.of(
          ProblemType.NOT_ENABLED,
          "The webhook is not enabled; nothing happened. Enable it first.");
    }
    return webhook;
  }

  private static WebhookEndpoint done(Result result) {
    return switch (result) {
      case Result.Done(var endpoint) -> endpoint;
      case Result.WrongAddress(var fault) -> {
        var reader = new Reader();
        reader.wrong("url", "url " + fault);
        throw reader.invalid();
      }
      case Result.AddressTaken() ->
          throw Problem.of(
              ProblemType.ALREADY_DEFINED,
              "Another webhook has this address already; nothing changed.");
      case Result.TooMany(int max) ->
          throw Problem.of(
              ProblemType.TOO_MANY_WEBHOOKS,
              "There are %d webhooks already, and there can be no more; nothing changed."
                  .formatted(max));
      case Result.Overtaken(int revision) -> throw Problem.overtaken(WEBHOOK, revision);
      case Result.Unknown() -> throw unknown();
    };
  }

  private static WebhookId id(String path) {
    try {
      return new WebhookId(WholeNumber.parse(path));
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  /** Null if no delivery can have that id. */
  private static @Nullable DeliveryId deliveryId(String path) {
    try {
      return new DeliveryId(WholeNumber.parse(path));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static DeliveryId after(String text) {
    try {
      return new DeliveryId(WholeNumber.parse(text));
    } catch (IllegalArgumentException e) {
      throw Problem.malformed("after must be the value of next of a page.");
    }
  }

  private static WebhookDelivery.State state(String text) {
    return Arrays.stream(WebhookDelivery.State.values())
        .filter(state -> state.name().equals(text))
        .findFirst()
        .orElseThrow(() -> Problem.malformed("state must be PENDING, DELIVERED or GIVEN_UP."));
  }

  private static Problem unknown() {
    return Problem.of(ProblemType.UNKNOWN_WEBHOOK, "There is no webhook with this id.");
  }

  /** Reads the address of a webhook. */
  private static final class Reader extends MemberReader {

    static URI url(String text) {
      try {
        return URI.create(text.strip());
      } catch (IllegalArgumentException e) {
        // Without the text, which can have a token of the receiver.
        throw new IllegalArgumentException("url is not an address", e);
      }
    }

    Problem invalid() {
      return invalid(ProblemType.INVALID_WEBHOOK, WEBHOOK);
    }
  }
}
