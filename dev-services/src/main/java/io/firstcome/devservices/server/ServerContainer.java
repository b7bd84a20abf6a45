package io.firstcome.devservices.server;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.exception.NotModifiedException;
import java.util.Objects;
import org.testcontainers.containers.GenericContainer;

/**
 * A container that was started by Testcontainers, which can only remove it. This class also kills,
 * pauses and restarts it. The data of the container are kept until it is removed.
 */
public final class ServerContainer {

  private static final int STOP_LIMIT_SECONDS = 15;
  private static final int TAIL_CHARACTERS = 2_000;

  private final GenericContainer<?> container;
  private final DockerClient docker;
  private final String id;

  /** The container must have been started, with a fixed port: a random one changes at a restart. */
  public ServerContainer(GenericContainer<?> container) {
    this.container = container;
    this.docker = container.getDockerClient();
    this.id = container.getContainerId();
  }

  /** The first process of the container, as seen from the host. */
  long pid() {
    return Objects.requireNonNull(state().getPidLong());
  }

  boolean isAlive() {
    try {
      return Boolean.TRUE.equals(state().getRunning());
    } catch (NotFoundException e) {
      return false;
    }
  }

  /** No effect on a container that does not run. */
  void kill() {
    try {
      docker.killContainerCmd(id).exec();
    } catch (ConflictException | NotFoundException e) {
      // It does not run, or it is removed at this moment because the JVM ends.
    }
  }

  /** No effect on a container that does not run. */
  void stop() {
    try {
      docker.stopContainerCmd(id).withTimeout(STOP_LIMIT_SECONDS).exec();
    } catch (NotModifiedException | NotFoundException e) {
      // It does not run.
    }
  }

  void start() {
    docker.startContainerCmd(id).exec();
  }

  void pause() {
    docker.pauseContainerCmd(id).exec();
  }

  /** No effect on a container that is not paused. */
  void resume() {
    if (Boolean.TRUE.equals(state().getPaused())) {
      docker.unpauseContainerCmd(id).exec();
    }
  }

  /** The end of its log. */
  String tail() {
    String log = container.getLogs();
    return log.substring(Math.max(0, log.length() - TAIL_CHARACTERS));
  }

  private ContainerState state() {
    return docker.inspectContainerCmd(id).exec().getState();
  }
}
