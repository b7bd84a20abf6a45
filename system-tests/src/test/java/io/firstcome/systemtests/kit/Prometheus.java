package io.firstcome.systemtests.kit;

import io.firstcome.devservices.process.ChildProcess;
import io.firstcome.devservices.process.ChildProcess.Command;
import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.process.LeftOver;
import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.process.Programs;
import io.firstcome.devservices.service.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An installed Prometheus that reads the metrics of instances and evaluates the alert rules. */
public final class Prometheus implements AutoCloseable {

  private static final String PROGRAM = "prometheus";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final HttpClient client = HttpClient.newHttpClient();
  private final ChildProcess process;
  private final URI server;

  private Prometheus(ChildProcess process, URI server) {
    this.process = process;
    this.server = server;
  }

  /** Whether one is installed. */
  public static boolean isInstalled() {
    return Programs.find(PROGRAM).isPresent();
  }

  /**
   * Starts one that reads each instance once a second, and returns when it has read each once.
   *
   * @param folder for its data, which is deleted first
   * @param rules the file with the rules
   */
  public static Prometheus watching(Path folder, Path rules, ServiceProcess... instances) {
    Path pidFile = folder.resolve("pid");
    LeftOver.end(pidFile);
    Folders.delete(folder);
    Path home = Folders.make(folder);
    Path configuration = home.resolve("prometheus.yml");
    String targets =
        List.of(instances).stream()
            .map(instance -> "'127.0.0.1:%d'".formatted(instance.managementPort()))
            .collect(Collectors.joining(", "));
    try {
      Path copy = Files.copy(rules, home.resolve("rules.yml"), StandardCopyOption.REPLACE_EXISTING);
      Files.writeString(
          configuration,
          """
          global:
            scrape_interval: 1s
            scrape_timeout: 1s
          rule_files: ['%s']
          scrape_configs:
            - job_name: firstcome
              metrics_path: /actuator/prometheus
              static_configs:
                - targets: [%s]
          """
              .formatted(copy, targets));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int port = Ports.free();
    var command =
        new Command(
            List.of(
                Programs.find(PROGRAM).orElseThrow().toString(),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + home.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port));
    var started =
        new Prometheus(
            ChildProcess.start(command, home, pidFile, home.resolve("log")),
            URI.create("http://127.0.0.1:%d/".formatted(port)));
    Await.until(LIMIT, "Prometheus", () -> Ports.isListening(port) && started.isReady());
    Await.until(LIMIT, "metrics of all instances", () -> started.reached() == instances.length);
    return started;
  }

  private boolean isReady() {
    return send("-/ready").statusCode() == 200;
  }

  private long reached() {
    return get("api/v1/query?query=up%3D%3D1").path("data").path("result").size();
  }

  /** The names of the alerts that fire. */
  public Set<String> firing() {
    return get("api/v1/alerts")
        .path("data")
        .path("alerts")
        .valueStream()
        .filter(alert -> alert.path("state").asString().equals("firing"))
        .map(alert -> alert.path("labels").path("alertname").asString())
        .collect(Collectors.toSet());
  }

  private JsonNode get(String path) {
    return JsonMapper.shared().readTree(send(path).body());
  }

  private HttpResponse<String> send(String path) {
    try {
      return client.send(
          HttpRequest.newBuilder(server.resolve(path)).timeout(LIMIT).build(),
          BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("Prometheus does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    client.close();
    process.stop("TERM", LIMIT);
  }
}
