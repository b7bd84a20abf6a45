package io.firstcome.benchmark.bench.load;

import io.firstcome.devservices.service.ServiceProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** As many requests as the service answers, each of a new user, sent by {@code wrk}. */
public final class Wrk {

  /** Enough for large groups, and few enough to be answered within a second. */
  private static final int CONNECTIONS = 128;

  private static final int THREADS = 2;
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);
  private static final String OWN_USERS = "own-users.lua";
  private static final String TOKENS = "tokens.lua";

  private final Path program;
  private final Path folder;
  private final AtomicInteger runs = new AtomicInteger();

  private Wrk(Path program, Path folder) {
    this.program = program;
    this.folder = folder;
  }

  /**
   * Finds the program.
   *
   * @param folder for its scripts
   * @throws MissingProgramException if it is not installed
   */
  public static Wrk in(Path folder) {
    Path program = Program.find("wrk", "wrk");
    for (String script : List.of(OWN_USERS, TOKENS)) {
      try (InputStream in = Wrk.class.getResourceAsStream(script)) {
        if (in == null) {
          throw new IllegalStateException("no " + script + " on the class path");
        }
        Files.createDirectories(folder);
        Files.write(folder.resolve(script), in.readAllBytes());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new Wrk(program, folder);
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

  /**
   * Sends POST requests with these tokens in turn to the URL for that long.
   *
   * @throws IllegalStateException if a connection failed or a request timed out
   */
  public WrkOutput postWithTokens(String url, List<String> tokens, Duration time) {
    Path file = folder.resolve("tokens");
    try {
      Files.write(file, tokens);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return send(url, time, List.of(), TOKENS, List.of(file.toString()));
  }

  private WrkOutput send(String method, String url, Duration time) {
    return send(
        url,
        time,
        List.of("--header", "X-Gateway-Secret: " + ServiceProcess.GATEWAY_SECRET),
        OWN_USERS,
        List.of(method, "wrk%05d".formatted(runs.incrementAndGet())));
  }

  private WrkOutput send(
      String url, Duration time, List<String> options, String script, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(
            program.toString(),
            "--threads",
            Integer.toString(THREADS),
            "--connections",
            Integer.toString(CONNECTIONS),
            "--duration",
            time.toSeconds() + "s",
            "--timeout",
            ANSWER_LIMIT.toSeconds() + "s"));
    command.addAll(options);
    command.addAll(List.of("--script", folder.resolve(script).toString(), url, "--"));
    command.addAll(arguments);
    WrkOutput output = WrkOutput.parse(Program.run(command, time));
    if (output.broken() > 0) {
      throw new IllegalStateException(
          "%d requests to %s failed or timed out".formatted(output.broken(), url));
    }
    return output;
  }
}
