package io.firstcome.bootstrap.console.definition;

import io.firstcome.application.coupon.ReadCoupon;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.admin.AdminCouponController;
import io.firstcome.bootstrap.rest.admin.AdminCouponEditController;
import io.firstcome.bootstrap.rest.admin.DefinitionReader;
import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.security.Caller;
import jakarta.servlet.http.HttpServletResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The forms with which an operator defines and edits a coupon. */
@Controller
class DefinitionPages {

  private static final String FORM = "console/definition";

  private final ReadCoupon readCoupon;
  private final AdminCouponController definitions;
  private final AdminCouponEditController edits;
  private final Previews previews;
  private final JsonMapper mapper;

  DefinitionPages(
      ReadCoupon readCoupon,
      AdminCouponController definitions,
      AdminCouponEditController edits,
      Previews previews,
      JsonMapper mapper) {
    this.readCoupon = readCoupon;
    this.definitions = definitions;
    this.edits = edits;
    this.previews = previews;
    this.mapper = mapper;
  }

  @GetMapping("/console/new")
  String empty(Model model) {
    return form(DefinitionForm.empty(), null, Map.of(), model);
  }

  @GetMapping("/console/coupons/{couponId}/edit")
  String edit(@PathVariable String couponId, Model model) {
    var view = view(couponId);
    return form(DefinitionForm.of(view), Integer.toString(view.revision()), Map.of(), model);
  }

  private CouponJson.View view(String couponId) {
    return CouponJson.view(
        readCoupon.readAny(CouponIds.parse(couponId)).orElseThrow(Problem::unknownCoupon));
  }

  private static String form(
      DefinitionForm form, @Nullable String revision, Map<String, String> errors, Model model) {
    model.addAttribute("form", form.fields());
    model.addAttribute("revision", revision);
    model.addAttribute(
        "heading", revision == null ? "New coupon" : "Edit " + form.fields().get("couponId"));
    model.addAttribute("errors", errors);
    model.addAttribute("preview", null);
    return FORM;
  }

  /**
   * What is wrong with the form as it is, or what customers would see of the coupon, for a script
   * that asks while the operator types.
   */
  @PostMapping("/console/check")
  String check(@RequestParam Map<String, String> parameters, Model model) {
    var form = DefinitionForm.sent(parameters);
    var errors = errors(form);
    model.addAttribute("errors", errors);
    model.addAttribute("preview", errors.isEmpty() ? previews.of(form) : null);
    return FORM + " :: checked";
  }

  private static Map<String, String> errors(DefinitionForm form) {
    var errors = new LinkedHashMap<String, String>();
    var json = form.definition(errors);
    try {
      var _ = DefinitionReader.read(json);
    } catch (Problem problem) {
      addErrors(problem, errors);
    }
    return errors;
  }

  private static void addErrors(Problem problem, Map<String, String> errors) {
    var properties = problem.body().getProperties();
    if (properties == null || !(properties.get("errors") instanceof Map<?, ?> found)) {
      throw problem;
    }
    found.forEach((member, message) -> errors.putIfAbsent((String) member, (String) message));
  }

  @PostMapping("/console/new")
  String define(
      @RequestParam Map<String, String> parameters,
      Caller caller,
      HttpServletResponse response,
      Model model,
      RedirectAttributes redirect) {
    var form = DefinitionForm.sent(parameters);
    var errors = errors(form);
    CouponJson.View defined = null;
    if (errors.isEmpty()) {
      try {
        var json = form.definition(errors);
        defined = definitions.define(asDraft(json), caller).getBody();
      } catch (Problem problem) {
        if (Objects.equals(problem.body().getType(), ProblemType.ALREADY_DEFINED.uri())) {
          errors.put("couponId", String.valueOf(problem.body().getDetail()));
        } else {
          addErrors(problem, errors);
        }
      }
    }
    if (defined == null) {
      return refused(form, null, errors, response, model);
    }
    redirect.addFlashAttribute("done", "It is a draft. Check it, and then publish it.");
    redirect.addAttribute("couponId", defined.couponId());
    return "redirect:/console/coupons/{couponId}";
  }

  private static CouponJson.Definition asDraft(CouponJson.Definition json) {
    return new CouponJson.Definition(
        json.couponId(),
        json.name(),
        json.totalQuantity(),
        json.discount(),
        json.minimumOrder(),
        json.opensAt(),
        json.closesAt(),
        json.validity(),
        json.returnsToStock(),
        json.waitingRoom(),
        json.archiveAfter(),
        json.stockBackend(),
        true);
  }

  /** Shows what the form changes of the coupon as it is now; nothing is saved. */
  @PostMapping("/console/coupons/{couponId}/edit")
  String review(
      @PathVariable String couponId,
      @RequestParam Map<String, String> parameters,
      HttpServletResponse response,
      Model model) {
    var revision = parameters.getOrDefault("revision", "");
    var form = DefinitionForm.sent(parameters);
    var errors = errors(form);
    if (!errors.isEmpty()) {
      return refused(form, revision, errors, response, model);
    }
    return review(form, revision, view(couponId), model);
  }

  private static String review(
      DefinitionForm form, String revision, CouponJson.View now, Model model) {
    model.addAttribute("couponId", now.couponId());
    model.addAttribute("form", form.fields());
    model.addAttribute("revision", now.revision());
    model.addAttribute("isOvertaken", !Integer.toString(now.revision()).equals(revision));
    model.addAttribute("changes", DefinitionChanges.between(DefinitionForm.of(now), form));
    return "console/review";
  }

  /** Shows the form again, as it was sent. */
  @PostMapping("/console/coupons/{couponId}/edit/form")
  String reopen(
      @PathVariable String couponId, @RequestParam Map<String, String> parameters, Model model) {
    var form = DefinitionForm.sent(parameters);
    return form(form, parameters.getOrDefault("revision", ""), Map.of(), model);
  }

  @PostMapping("/console/coupons/{couponId}/edit/confirmed")
  String edited(
      @PathVariable String couponId,
      @RequestParam Map<String, String> parameters,
      Caller caller,
      HttpServletResponse response,
      Model model,
      RedirectAttributes redirect) {
    var revision = parameters.getOrDefault("revision", "");
    var form = DefinitionForm.sent(parameters);
    var errors = errors(form);
    if (errors.isEmpty()) {
      try {
        var changed = edits.edit(couponId, '"' + revision + '"', patch(form), caller);
        redirect.addFlashAttribute(
            "done", "It is in revision %d now.".formatted(changed.revision()));
        return "redirect:/console/coupons/{couponId}";
      } catch (Problem problem) {
        if (problem.body().getStatus() == HttpServletResponse.SC_PRECONDITION_FAILED) {
          response.setStatus(HttpServletResponse.SC_PRECONDITION_FAILED);
          return review(form, revision, view(couponId), model);
        }
        addErrors(problem, errors);
      }
    }
    return refused(form, revision, errors, response, model);
  }

  private static String refused(
      DefinitionForm form,
      @Nullable String revision,
      Map<String, String> errors,
      HttpServletResponse response,
      Model model) {
    response.setStatus(HttpServletResponse.SC_UNPROCESSABLE_CONTENT);
    return form(form, revision, errors, model);
  }

  private static void complete(JsonNode node, String... members) {
    if (node instanceof ObjectNode object) {
      for (var member : members) {
        if (!object.has(member)) {
          object.putNull(member);
        }
      }
    }
  }

  /** The members of the form; those that it does not have stay as they are. */
  private ObjectNode patch(DefinitionForm form) {
    ObjectNode patch = mapper.valueToTree(form.definition(new LinkedHashMap<>()));
    patch.remove("archiveAfter");
    patch.remove("stockBackend");
    patch.remove("draft");
    // What the form does not have any more must go: a merge patch keeps what it does not name.
    complete(patch.path("discount"), "amountOff", "basisPoints", "currency", "cap");
    complete(patch.path("validity"), "until", "days");
    if (patch.path("waitingRoom") instanceof ObjectNode room) {
      room.remove("admissionTime");
      room.remove("paused");
    }
    return patch;
  }
}
