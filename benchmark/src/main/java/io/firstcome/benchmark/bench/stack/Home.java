package io.firstcome.benchmark.bench.stack;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.Folders;
import io.firstcome.devservices.ServiceSettings;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the benchmark finds the service, and where it keeps what lasts for a run.
 *
 * @param root of the repository
 * @param work a folder of this benchmark alone
 */
public record Home(Path root, Path work) {

  private static final String SERVERS = "servers";

  /**
   * The service with the classes of the benchmark beside it, or another program on its libraries.
   *
   * @param main of the other program, or null for the service
   * @param folder of this instance
   */
  ServiceSettings program(@Nullable String main, Path folder, DevServices servers) {
    var classes = List.of(root.resolve("benchmark/target/classes"), devServices());
    return ServiceSettings.of(
            root.resolve("bootstrap/target/firstcome.jar"),
            folder,
            servers.postgres(),
            servers.redis(),
            servers.amqp())
        .with(new ServiceSettings.Addition(classes, main));
  }

  /** A jar, or a folder where this runs from a build that has not packed it. */
  private static Path devServices() {
    try {
      return Path.of(DevServices.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("dev-services are in no file", e);
    }
  }

  /** Servers of this name with nothing in them; what a killed run left of them is ended first. */
  public DevServices servers(String name) {
    forget(name);
    return DevServices.forMeasurementsIn(work.resolve(name).resolve(SERVERS));
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
