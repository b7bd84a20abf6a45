package io.firstcome.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.util.ArrayList;
import java.util.List;
import org.openapitools.openapidiff.core.OpenApiCompare;
import org.openapitools.openapidiff.core.compare.OpenApiDiffOptions;
import org.openapitools.openapidiff.core.model.Changed;
import org.openapitools.openapidiff.core.model.ChangedOperation;
import org.openapitools.openapidiff.core.model.ChangedSchema;
import org.openapitools.openapidiff.core.model.ComposedChanged;

/**
 * Compares two descriptions of the API, for changes that break the clients of the earlier one.
 *
 * <p>openapi-diff reads types as OpenAPI 3.0 writes them, so the descriptions are rewritten to it
 * before. Beyond its rules, a member that is removed breaks clients, required or not: one that
 * reads it gets nothing, and the service refuses members that it does not know.
 */
final class ApiChanges {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private static final OpenApiDiffOptions RULES =
      OpenApiDiffOptions.builder()
          .configProperty("incompatible.operation.id.changed", "true")
          .configProperty("incompatible.request.min.length.increased", "true")
          // Clients accept values that they do not know.
          .configProperty("incompatible.response.enum.increased", "false")
          .build();

  private ApiChanges() {}

  /**
   * Operations whose calls or answers break clients of the earlier description.
   *
   * @param earlier in YAML, as the later one
   * @return "METHOD path", with what was removed if it is known; empty if no client breaks
   * @throws IllegalArgumentException if a description uses a part of OpenAPI 3.1 that cannot be
   *     written in 3.0
   */
  static List<String> breaking(String earlier, String later) {
    var changes = OpenApiCompare.fromContents(version30(earlier), version30(later), null, RULES);
    var breaking = new ArrayList<String>();
    changes
        .getMissingEndpoints()
        .forEach(removed ->
            breaking.add(removed.getMethod() + " " + removed.getPathUrl() + " is removed"));
    for (var operation : changes.getChangedOperations()) {
      var name = operation.getHttpMethod() + " " + operation.getPathUrl();
      var removed = removedMembers(operation);
      if (!removed.isEmpty()) {
        breaking.add(name + " without " + String.join(", ", removed));
      } else if (operation.isIncompatible()) {
        breaking.add(name);
      }
    }
    return breaking;
  }

  private static List<String> removedMembers(ChangedOperation operation) {
    var removed = new ArrayList<String>();
    collectRemoved(operation, removed);
    return removed.stream().distinct().toList();
  }

  private static void collectRemoved(Changed changed, List<String> removed) {
    if (changed instanceof ChangedSchema schema) {
      removed.addAll(schema.getMissingProperties().keySet());
    }
    if (changed instanceof ComposedChanged composed) {
      for (var element : composed.getChangedElements()) {
        if (element != null) {
          collectRemoved(element, removed);
        }
      }
    }
  }

  private static String version30(String description) {
    try {
      var root = (ObjectNode) YAML.readTree(description);
      root.put("openapi", "3.0.3");
      var info = (ObjectNode) root.path("info");
      info.remove("summary");
      info.remove("license");
      requireTypesOf30(root);
      return YAML.writeValueAsString(root);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the description is not YAML", e);
    }
  }

  private static void requireTypesOf30(JsonNode node) {
    for (var keyword : List.of("const", "prefixItems", "patternProperties", "$defs", "if")) {
      if (node.has(keyword)) {
        throw new IllegalArgumentException("OpenAPI 3.0 does not have " + keyword);
      }
    }
    if (node.path("type").isArray()) {
      throw new IllegalArgumentException("OpenAPI 3.0 does not have types in an array");
    }
    node.forEach(ApiChanges::requireTypesOf30);
  }
}
