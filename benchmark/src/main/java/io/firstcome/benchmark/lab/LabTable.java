package io.firstcome.benchmark.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of text, for a terminal or a document. Its first column is words, the others figures. */
final class LabTable {

  private final List<String> head;
  private final List<List<String>> rows = new ArrayList<>();

  LabTable(String... head) {
    this.head = List.of(head);
  }

  void add(List<String> row) {
    if (row.size() != head.size()) {
      throw new IllegalArgumentException(
          "row has %d of %d cells: %s".formatted(row.size(), head.size(), row));
    }
    rows.add(List.copyOf(row));
  }

  String markdown() {
    var text = new StringBuilder();
    appendMarkdown(text, head);
    text.append("|---|").append("---:|".repeat(head.size() - 1)).append('\n');
    rows.forEach(row -> appendMarkdown(text, row));
    return text.toString();
  }

  private static void appendMarkdown(StringBuilder text, List<String> row) {
    text.append("| ").append(String.join(" | ", row)).append(" |\n");
  }

  /** In columns as wide as their widest cell. */
  String plain() {
    int[] widths = new int[head.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = head.get(i).length();
      for (var row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var text = new StringBuilder();
    appendPlain(text, head, widths);
    rows.forEach(row -> appendPlain(text, row, widths));
    return text.toString();
  }

  private static void appendPlain(StringBuilder text, List<String> row, int[] widths) {
    text.append(String.format(Locale.ROOT, "%-" + widths[0] + "s", row.getFirst()));
    for (int i = 1; i < widths.length; i++) {
      text.append(String.format(Locale.ROOT, "  %" + widths[i] + "s", row.get(i)));
    }
    text.append('\n');
  }
}
