package io.firstcome.systemtests.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The published script with which everybody checks a place of a draw. */
public final class DrawScript {

  private DrawScript() {}

  /**
   * The place of a ticket, computed by the script.
   *
   * @param commitment of the seed, as it was before the draw
   * @param document of the room after it
   */
  public static int place(String commitment, String document, int number) {
    return Integer.parseInt(output(commitment, document, number).strip());
  }

  /** What the script prints. */
  public static String output(String commitment, String document, int number) {
    var script =
        Path.of(System.getProperty("firstcome.launcher")).resolveSibling("docs/check-draw.py");
    try {
      var room = Files.writeString(Files.createTempFile("room", ".json"), document);
      var process =
          new ProcessBuilder(
                  "python3",
                  script.toString(),
                  commitment,
                  room.toString(),
                  Integer.toString(number))
              .redirectErrorStream(true)
              .start();
      try {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      } finally {
        process.waitFor();
        Files.delete(room);
      }
    } catch (IOException e) {
      throw new AssertionError("the script cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the script ran", e);
    }
  }
}
