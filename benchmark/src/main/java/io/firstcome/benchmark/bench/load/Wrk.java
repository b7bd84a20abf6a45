package io.firstcome.benchmark.bench.load;

import io.firstcome.devservices.service.ServiceProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** As many requests as the service answers, each of a new user, sent by {@code wrk}. */
public final class Wrk {

  /** Enough for large groups, and few enough to be answered within a second. */
  private static final int CONNECTIONS = 128;

  private static final int THREADS = 2;
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);
  private static final String SCRIPT = "own-users.lua";

  private final Path program;
  private final Path script;
  private final AtomicInteger runs = new AtomicInteger();

  private Wrk(Path program, Path script) {
    this.program = program;
    this.script = script;
  }

  /**
   * Finds the program.
   *
   * @param folder for its script
   * @throws MissingProgramException if it is not installed
   */
  public static Wrk in(Path folder) {
    Path program = Program.find("wrk", "wrk");
    Path script = folder.resolve(SCRIPT);
    try (InputStream in = Wrk.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new IllegalStateException("no " + SCRIPT + " on the class path");
      }
      Files.createDirectories(folder);
      Files.write(script, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Wrk(program, script);
  }

  /**
   * Sends POST requests to the URL for that long.
   *
   * @throws IllegalStateException if a connection failed or a request timed out
   */
  public WrkOutput post(String url, Duration time) {
    return send("POST", url, time);
  }

  /**
   * Sends GET requests to the URL for that long.
   *
   * @throws IllegalStateException if a connection failed or a request timed out
   */
  public WrkOutput get(String url, Duration time) {
    return send("GET", url, time);
  }

  private WrkOutput send(String method, String url, Duration time) {
    List<String> command =
        List.of(
            program.toString(),
            "--threads",
            Integer.toString(THREADS),
            "--connections",
            Integer.toString(CONNECTIONS),
            "--duration",
            time.toSeconds() + "s",
            "--timeout",
            ANSWER_LIMIT.toSeconds() + "s",
            "--header",
            "X-Gateway-Secret: " + ServiceProcess.GATEWAY_SECRET,
            "--script",
            script.toString(),
            url,
            "--",
            method,
            "wrk%05d".formatted(runs.incrementAndGet()));
    WrkOutput output = WrkOutput.parse(Program.run(command, time));
    if (output.broken() > 0) {
      throw new IllegalStateException(
          "%d requests to %s failed or timed out".formatted(output.broken(), url));
    }
    return output;
  }
}
