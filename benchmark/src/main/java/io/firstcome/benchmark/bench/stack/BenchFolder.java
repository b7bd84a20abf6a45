package io.firstcome.benchmark.bench.stack;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.service.ServiceSettings;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the benchmark finds the service, and where it keeps the data of a run.
 *
 * @param root of the repository
 * @param work a folder of this benchmark alone
 */
public record BenchFolder(Path root, Path work) {

  private static final String SERVERS = "servers";

  /**
   * The service with the classes of the benchmark added, or another program on its libraries.
   *
   * @param main class of the other program, or null for the service
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

  /** The jar of dev-services, or its folder of classes if the build has not packed it. */
  private static Path devServices() {
    try {
      return Path.of(DevServices.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the classes of dev-services are not in a file", e);
    }
  }

  /** Empty servers of this name; those that a killed run has left are stopped first. */
  public DevServices servers(String name) {
    forget(name);
    return DevServices.forMeasurementsIn(work.resolve(name).resolve(SERVERS));
  }

  /** Deletes the data of the servers of this name, which must be closed. */
  public void forget(String name) {
    Path folder = work.resolve(name);
    if (Files.exists(folder)) {
      DevServices.endLeftOvers(folder.resolve(SERVERS));
      Folders.delete(folder);
    }
  }

  /** Creates the directory to which the service of this name exports user coupons. */
  Path retention(String name) {
    return Folders.make(work.resolve(name).resolve("retention"));
  }

  /** The folder of the service of this name. */
  Path service(String name) {
    return work.resolve(name).resolve("service");
  }
}
