package io.firstcome.bootstrap.rest.admin;

import io.firstcome.application.coupon.EditCoupon;
import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemAdvice;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.InvalidMemberException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Endpoints with which operators edit coupons and delete drafts. The console calls them too. */
@RestController
@RequestMapping("/api/v1/admin/coupons/{couponId}")
public class AdminCouponEditController {

  private static final String MERGE_PATCH = "application/merge-patch+json";

  private final EditCoupon editCoupon;
  private final ReadCoupon readCoupon;
  private final JsonMapper mapper;

  AdminCouponEditController(EditCoupon editCoupon, ReadCoupon readCoupon, JsonMapper mapper) {
    this.editCoupon = editCoupon;
    this.readCoupon = readCoupon;
    this.mapper = mapper;
  }

  /**
   * Changes the members of the definition that the patch names; null removes one.
   *
   * @see <a href="https://www.rfc-editor.org/rfc/rfc7396">RFC 7396, JSON Merge Patch</a>
   */
  @PatchMapping(consumes = {MediaType.APPLICATION_JSON_VALUE, MERGE_PATCH})
  public CouponJson.View edit(
      @PathVariable String couponId,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
      @RequestBody JsonNode patch,
      Caller caller) {
    var id = CouponIds.parse(couponId);
    int revision = Revisions.required(ifMatch, "coupon");
    return switch (OutcomeUnknown.unlessEditApplied(() -> edited(id, revision, patch, caller))) {
      case EditCoupon.Result.Done(Coupon coupon) -> view(coupon);
      case EditCoupon.Result.Refused(var reason) -> throw ChangeProblems.of(reason);
      case EditCoupon.Result.Overtaken(int current) -> throw Problem.overtaken("coupon", current);
      case EditCoupon.Result.AlreadyClaimed() ->
          throw Problem.of(
              ProblemType.ALREADY_CLAIMED,
              "Users have claimed the coupon or joined its waiting room. Only its name,"
                  + " archiveAfter, a later closesAt, a larger totalQuantity, and the rate, pause and"
                  + " challenge of the waiting room can be changed now; nothing changed.");
      case EditCoupon.Result.StockUnreachable() -> throw ProblemAdvice.recovering();
      case EditCoupon.Result.Unknown() -> throw Problem.unknownCoupon();
    };
  }

  private EditCoupon.Result edited(CouponId id, int revision, JsonNode patch, Caller caller) {
    try {
      return editCoupon.edit(id, revision, now -> patched(now, patch), caller.operator());
    } catch (InvalidMemberException e) {
      throw DefinitionReader.invalid(e);
    }
  }

  private CouponJson.View view(Coupon coupon) {
    return OutcomeUnknown.readAfterwards(() -> readCoupon.readAny(coupon.id()))
        .map(CouponJson::view)
        .orElseThrow(() -> Problem.unknownCoupon());
  }

  private CouponDefinition patched(CouponDefinition definition, JsonNode patch) {
    if (!patch.isObject()) {
      throw Problem.malformed("The body must be an object.");
    }
    // Otherwise an unknown member that is null would be accepted, and have no effect.
    read(patch);
    var json = mapper.<ObjectNode>valueToTree(CouponJson.definition(definition));
    MergePatch.apply(patch, json);
    return DefinitionReader.edited(read(json), definition.couponId());
  }

  private CouponJson.Definition read(JsonNode json) {
    try {
      return mapper.treeToValue(json, CouponJson.Definition.class);
    } catch (JacksonException e) {
      throw ProblemAdvice.unreadable(e);
    }
  }

  @DeleteMapping
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(
      @PathVariable String couponId,
      @RequestHeader(name = HttpHeaders.IF_MATCH, required = false) @Nullable String ifMatch,
      Caller caller) {
    var id = CouponIds.parse(couponId);
    switch (editCoupon.delete(id, Revisions.required(ifMatch, "coupon"), caller.operator())) {
      case EditCoupon.Deletion.Done() -> {}
      case EditCoupon.Deletion.NotDraft() ->
          throw Problem.of(
              ProblemType.NOT_DRAFT,
              "Only a draft can be deleted. A published coupon can be closed and archived; nothing"
                  + " changed.");
      case EditCoupon.Deletion.Overtaken(int current) -> throw Problem.overtaken("coupon", current);
      case EditCoupon.Deletion.Unknown() -> throw Problem.unknownCoupon();
    }
  }
}
