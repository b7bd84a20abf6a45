package io.firstcome.systemtests.guards;

import java.util.List;

/**
 * A place in a source file and its replacement. The search ignores whitespace, so a formatter may
 * wrap the lines differently.
 *
 * @param fileName the name of the source file without folders, so that the file may move
 * @param find consecutive lines of the file
 * @param replacement the lines without the guard; may be empty
 */
record Edit(String fileName, List<String> find, List<String> replacement) {

  Edit {
    find = List.copyOf(find);
    replacement = List.copyOf(replacement);
    if (find.stream().allMatch(String::isBlank)) {
      throw new IllegalArgumentException("an edit of %s has no line to find".formatted(fileName));
    }
  }

  /**
   * The content of the file after the edit.
   *
   * @throws IllegalArgumentException if the place does not occur exactly once
   */
  String appliedTo(String content) {
    var dense = new StringBuilder();
    var places = new int[content.length()];
    for (int i = 0; i < content.length(); i++) {
      if (!Character.isWhitespace(content.charAt(i))) {
        places[dense.length()] = i;
        dense.append(content.charAt(i));
      }
    }
    var wanted = String.join("", find).replaceAll("\\s", "");
    int first = dense.indexOf(wanted);
    if (first < 0 || dense.indexOf(wanted, first + 1) >= 0) {
      throw new IllegalArgumentException(
          "%s has %s:%n%s"
              .formatted(
                  fileName,
                  first < 0 ? "no such place" : "more than one such place",
                  String.join("\n", find)));
    }
    return content.substring(0, places[first])
        + String.join("\n", replacement)
        + content.substring(places[first + wanted.length() - 1] + 1);
  }
}
