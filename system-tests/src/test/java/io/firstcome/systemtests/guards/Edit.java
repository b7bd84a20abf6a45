package io.firstcome.systemtests.guards;

import java.util.List;

/**
 * One place of a source file and what replaces it. Blank space does not count when the place is
 * looked for, so a formatter may break its lines anew.
 *
 * @param fileName of the source file, without folders, so that the file may move
 * @param find lines of the file, which stand there one after the other
 * @param replacement what stands there without the guard; may be empty
 */
record Edit(String fileName, List<String> find, List<String> replacement) {

  Edit {
    find = List.copyOf(find);
    replacement = List.copyOf(replacement);
    if (find.stream().allMatch(String::isBlank)) {
      throw new IllegalArgumentException("an edit of %s says nothing to find".formatted(fileName));
    }
  }

  /**
   * The content of the file after the edit.
   *
   * @throws IllegalArgumentException if the place is not there exactly once
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
