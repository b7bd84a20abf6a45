package io.firstcome.bootstrap.rest.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.application.coupon.DefineCampaign;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.CouponJson.CampaignJson;
import io.firstcome.bootstrap.rest.request.PageLimit;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.CampaignId;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints with which operators define campaigns. */
@RestController
@RequestMapping(AdminCampaignController.PATH)
class AdminCampaignController {

  static final String PATH = "/api/v1/admin/campaigns";

  private final DefineCampaign defineCampaign;

  AdminCampaignController(DefineCampaign defineCampaign) {
    this.defineCampaign = defineCampaign;
  }

  @PostMapping
  ResponseEntity<CampaignJson> define(@RequestBody CampaignJson json, Caller caller) {
    var campaign = CampaignReader.read(json);
    var view = CouponJson.campaign(campaign);
    return switch (defineCampaign.define(campaign, caller.operator())) {
      case DefineCampaign.Result.Defined() ->
          ResponseEntity.created(URI.create(PATH + "/" + campaign.id())).body(view);
      case DefineCampaign.Result.SameAsBefore() -> ResponseEntity.ok(view);
      case DefineCampaign.Result.AlreadyDefined() ->
          throw Problem.of(
              ProblemType.ALREADY_DEFINED,
              "A campaign with this id is already defined differently; nothing changed.");
      case DefineCampaign.Result.Refused(var couponId, var reason) ->
          throw CampaignReader.refused(couponId, reason);
      case DefineCampaign.Result.ConcurrentChange() -> throw Problem.concurrentChange();
    };
  }

  /**
   * A page of campaigns, ordered by id.
   *
   * @param next the {@code after} of the next page; absent on the last page
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record PageJson(List<CampaignJson> items, @Nullable String next) {}

  @GetMapping
  PageJson page(
      @RequestParam(defaultValue = PageLimit.DEFAULT) String limit,
      @RequestParam(required = false) @Nullable String after) {
    var page = defineCampaign.page(after == null ? null : after(after), PageLimit.parse(limit));
    var next = page.next();
    return new PageJson(
        page.items().stream().map(CouponJson::campaign).toList(),
        next == null ? null : next.value());
  }

  private static CampaignId after(String text) {
    return parsed(text)
        .orElseThrow(() -> Problem.malformed("after must be the value of next of a page."));
  }

  @GetMapping("/{campaignId}")
  CampaignJson read(@PathVariable String campaignId) {
    return parsed(campaignId)
        .flatMap(defineCampaign::find)
        .map(CouponJson::campaign)
        .orElseThrow(AdminCampaignController::unknown);
  }

  @DeleteMapping("/{campaignId}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable String campaignId, Caller caller) {
    var id = parsed(campaignId).orElseThrow(AdminCampaignController::unknown);
    switch (defineCampaign.delete(id, caller.operator())) {
      case DefineCampaign.Deletion.Done() -> {}
      case DefineCampaign.Deletion.Published(var couponId) ->
          throw Problem.of(
              ProblemType.NOT_DRAFT,
              "Only a campaign whose coupons are all drafts can be deleted, and %s is published;"
                      .formatted(couponId)
                  + " nothing changed.");
      case DefineCampaign.Deletion.ConcurrentChange() -> throw Problem.concurrentChange();
      case DefineCampaign.Deletion.Unknown() -> throw unknown();
    }
  }

  private static Problem unknown() {
    return Problem.of(ProblemType.UNKNOWN_CAMPAIGN, "There is no campaign of this id.");
  }

  /** Empty if no campaign can have that id. */
  private static Optional<CampaignId> parsed(String campaignId) {
    try {
      return Optional.of(new CampaignId(campaignId));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
