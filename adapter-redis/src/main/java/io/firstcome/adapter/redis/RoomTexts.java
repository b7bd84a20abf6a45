package io.firstcome.adapter.redis;

import io.firstcome.domain.waitingroom.Gap;
import io.firstcome.domain.waitingroom.ServingHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Lists of numbers in the fields of a room. */
final class RoomTexts {

  private RoomTexts() {}

  static List<ServingHistory.Mark> marks(String text) {
    var words = words(text);
    var marks = new ArrayList<ServingHistory.Mark>();
    for (int i = 0; i < words.length; i += 2) {
      marks.add(
          new ServingHistory.Mark(
              Duration.ofMillis(Long.parseLong(words[i])), Integer.parseInt(words[i + 1])));
    }
    return marks;
  }

  static List<Gap> gaps(String text) {
    var words = words(text);
    var gaps = new ArrayList<Gap>();
    for (int i = 0; i < words.length; i += 2) {
      gaps.add(new Gap(Integer.parseInt(words[i]), Integer.parseInt(words[i + 1])));
    }
    return gaps;
  }

  private static String[] words(String text) {
    return text.isEmpty() ? new String[0] : text.split(" ", -1);
  }

  static String ofMarks(List<ServingHistory.Mark> marks) {
    return marks.stream()
        .map(mark -> mark.end().toMillis() + " " + mark.served())
        .collect(Collectors.joining(" "));
  }

  static String ofGaps(List<Gap> gaps) {
    return gaps.stream().map(gap -> gap.after() + " " + gap.to()).collect(Collectors.joining(" "));
  }
}
