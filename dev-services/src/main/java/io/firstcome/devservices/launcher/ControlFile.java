package io.firstcome.devservices.launcher;

import io.firstcome.devservices.launcher.terminal.LauncherException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** {@code control.json}: how to reach the {@link ControlServer} of a running {@code up}. */
record ControlFile(int port, String token) {

  static final String HEADER = "X-Control-Token";

  /** Longer than a restart of the slowest part takes. */
  private static final Duration LIMIT = Duration.ofSeconds(150);

  private static final int OK = 200;

  void write(Home home) {
    PrivateFile.write(home.controlFile(), JsonMapper.shared().writeValueAsString(this));
  }

  static ControlFile read(Home home) {
    try {
      return JsonMapper.shared().readValue(Files.readString(home.controlFile()), ControlFile.class);
    } catch (NoSuchFileException e) {
      throw nothingRuns(home.folder());
    } catch (IOException | JacksonException e) {
      throw new LauncherException("cannot read %s: %s".formatted(home.controlFile(), e));
    }
  }

  private static LauncherException nothingRuns(Object detail) {
    return new LauncherException(
        "nothing to restart: no \"./firstcome up\" runs (%s)".formatted(detail));
  }

  /** Requests that the part is ended and started again, and returns the line to show. */
  String restart(Part part, Ending ending) {
    URI uri =
        URI.create(
            "http://%s:%d%s%s"
                .formatted(
                    InetAddress.getLoopbackAddress().getHostAddress(),
                    port,
                    ending.path(),
                    part.label()));
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(LIMIT)
            .header(HEADER, token)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != OK) {
        throw new LauncherException(
            "%s was not restarted: %s".formatted(part.label(), response.body()));
      }
      return response.body();
    } catch (ConnectException e) {
      // The file was left by a run that was killed.
      throw nothingRuns("the last run was killed");
    } catch (IOException e) {
      throw new LauncherException(
          "%s: no reply from the running \"up\": %s".formatted(part.label(), e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while restarting " + part.label(), e);
    }
  }
}
