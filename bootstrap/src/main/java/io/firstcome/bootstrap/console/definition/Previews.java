package io.firstcome.bootstrap.console.definition;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.firstcome.bootstrap.rest.admin.DefinitionReader;
import io.firstcome.bootstrap.rest.request.CouponJson;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What customers would see of a coupon that is not defined yet. */
@Component
class Previews {

  private final InstantSource clock;
  private final JsonMapper mapper;

  Previews(InstantSource clock, JsonMapper mapper) {
    this.clock = clock;
    this.mapper =
        mapper
            .rebuild()
            .changeDefaultPropertyInclusion(all -> all.withValueInclusion(Include.NON_NULL))
            .build();
  }

  /**
   * The public document of the coupon as if it were published now, with all its slots.
   *
   * @param form without errors
   */
  String of(DefinitionForm form) {
    var definition = DefinitionReader.read(form.definition(new LinkedHashMap<>()));
    var now = clock.instant();
    var window = definition.window();
    ObjectNode document = mapper.valueToTree(CouponJson.definition(definition));
    document.put("remaining", definition.totalQuantity());
    document.put(
        "phase",
        now.isBefore(window.opensAt())
            ? "SCHEDULED"
            : now.isBefore(window.closesAt()) ? "OPEN" : "CLOSED");
    document.put("serverTime", now.toString());
    return mapper.writeValueAsString(document);
  }
}
