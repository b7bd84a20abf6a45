package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.process.ChildProcess;
import io.firstcome.devservices.process.LeftOver;
import io.firstcome.devservices.service.ServiceProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A package of this repository that is written for Node.js, and its npm commands. */
public final class NodePackage {

  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(25);

  private static boolean clientIsBuilt;

  private final String name;
  private final Path folder;

  private NodePackage(String name, Path folder) {
    this.name = name;
    this.folder = folder;
  }

  /** The TypeScript client, which is built by the first caller. */
  public static synchronized NodePackage client() throws IOException {
    var client = of("client/typescript");
    if (!clientIsBuilt) {
      client.npm("ci");
      client.npm("run", "build");
      clientIsBuilt = true;
    }
    return client;
  }

  /**
   * The package in a folder.
   *
   * @param folder below that of the repository
   */
  public static NodePackage of(String folder) {
    return new NodePackage(
        folder.replace('/', '-'),
        Path.of(World.property("firstcome.launcher")).resolveSibling(folder));
  }

  public static boolean npmIsInstalled() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "npm")));
  }

  /**
   * Runs npm, which can use the service of {@link World}.
   *
   * @return what it has printed
   */
  public String npm(String... words) throws IOException {
    return npm(Map.of(), words);
  }

  /** The same, with these variables too. */
  public String npm(Map<String, String> more, String... words) throws IOException {
    var line = new ArrayList<>(List.of("npm"));
    line.addAll(List.of(words));
    var work = Files.createDirectories(Path.of(World.property("firstcome.work")).resolve("npm"));
    var log = work.resolve(name + "-" + line.getLast() + ".log");
    var pidFile = log.resolveSibling(log.getFileName() + ".pid");
    Files.deleteIfExists(log);
    LeftOver.end(pidFile);
    var environment = new HashMap<>(more);
    environment.put("FIRSTCOME_URL", "http://127.0.0.1:" + World.get().servicePort());
    environment.put("FIRSTCOME_MANAGEMENT_URL", World.get().service().managementUrl());
    environment.put("FIRSTCOME_GATEWAY_SECRET", ServiceProcess.GATEWAY_SECRET);
    environment.put("SCREENSHOTS", work.resolve(name).toString());
    var npm = ChildProcess.start(new ChildProcess.Command(line, environment), folder, pidFile, log);
    try {
      Await.until(COMMAND_LIMIT, () -> line + " ends", () -> !npm.isAlive());
    } finally {
      npm.kill();
    }
    var printed = Files.readString(log);
    assertThat(npm.exitCode()).as("status of %s, which printed%n%s", line, printed).isZero();
    return printed;
  }
}
