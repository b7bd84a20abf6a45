package io.firstcome.devservices.server;

import io.firstcome.devservices.process.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The RabbitMQ that is installed on this machine.
 *
 * @param server the script that starts a node under the user who calls it
 * @param epmd Erlang's port mapper, which a node needs
 */
public record RabbitMqInstallation(Path server, Path epmd) {

  /** Debian's program on PATH is a wrapper that switches users; these are the real scripts. */
  private static Stream<String> usualServers() {
    return Stream.of(
        "/usr/lib/rabbitmq/bin/rabbitmq-server",
        "/opt/rabbitmq/sbin/rabbitmq-server",
        "/opt/homebrew/opt/rabbitmq/sbin/rabbitmq-server",
        "/usr/local/opt/rabbitmq/sbin/rabbitmq-server");
  }

  public static Optional<RabbitMqInstallation> find() {
    Optional<Path> server =
        usualServers()
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst()
            .or(() -> Programs.find("rabbitmq-server"));
    Optional<Path> epmd =
        Programs.find("epmd")
            .or(() ->
                Programs.find("erl")
                    .map(erl -> Programs.real(erl).resolveSibling("epmd"))
                    .filter(Files::isExecutable));
    return server.flatMap(script -> epmd.map(mapper -> new RabbitMqInstallation(script, mapper)));
  }
}
