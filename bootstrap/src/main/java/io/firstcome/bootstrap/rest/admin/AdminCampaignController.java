package io.firstcome.bootstrap.rest.admin;

import io.firstcome.application.coupon.DefineCampaign;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.CouponJson.CampaignJson;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.CampaignId;
import java.net.URI;
import java.util.Optional;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints with which operators put drafts into campaigns. */
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

  @GetMapping("/{campaignId}")
  CampaignJson read(@PathVariable String campaignId) {
    return parsed(campaignId)
        .flatMap(defineCampaign::find)
        .map(CouponJson::campaign)
        .orElseThrow(
            () -> Problem.of(ProblemType.UNKNOWN_CAMPAIGN, "There is no campaign of this id."));
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
