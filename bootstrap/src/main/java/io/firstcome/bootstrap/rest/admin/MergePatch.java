package io.firstcome.bootstrap.rest.admin;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Applies a JSON merge patch.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7396">RFC 7396, JSON Merge Patch</a>
 */
final class MergePatch {

  private MergePatch() {}

  /** Changes the target as the patch says; a member that is null in the patch is removed. */
  static void apply(JsonNode patch, ObjectNode target) {
    for (var member : patch.properties()) {
      var name = member.getKey();
      var value = member.getValue();
      if (value.isNull()) {
        target.remove(name);
      } else if (value.isObject()) {
        var part = target.get(name) instanceof ObjectNode object ? object : target.objectNode();
        apply(value, part);
        target.set(name, part);
      } else {
        target.set(name, value);
      }
    }
  }
}
