package io.firstcome.benchmark.bench.stack;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.Folders;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the benchmark finds the service, and where it keeps what lasts for a run.
 *
 * @param root of the repository
 * @param work a folder of this benchmark alone
 */
public record Home(Path root, Path work) {

  private static final String SERVERS = "servers";

  Path jar() {
    return root.resolve("bootstrap/target/firstcome.jar");
  }

  /** With what the benchmark adds to the service. */
  Path classes() {
    return root.resolve("benchmark/target/classes");
  }

  /** Servers of this name with nothing in them; what a killed run left of them is ended first. */
  public DevServices servers(String name) {
    forget(name);
    return DevServices.in(work.resolve(name).resolve(SERVERS));
  }

  /** Deletes what the servers of this name have kept. They must be closed. */
  public void forget(String name) {
    Path folder = work.resolve(name);
    if (Files.exists(folder)) {
      DevServices.endLeftOvers(folder.resolve(SERVERS));
      Folders.delete(folder);
    }
  }

  /** The folder of the service of this name. */
  Path service(String name) {
    return work.resolve(name).resolve("service");
  }
}
