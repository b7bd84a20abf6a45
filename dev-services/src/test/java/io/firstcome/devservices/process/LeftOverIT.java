package io.firstcome.devservices.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.LocalRedis;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftOverIT {

  private static final Duration END_LIMIT = Duration.ofSeconds(10);

  @TempDir Path folder;

  /** A JVM that starts two servers in a folder, prints their pids and waits to be killed. */
  static final class Victim {

    private Victim() {}

    public static void main(String[] arguments) throws IOException {
      DevServices services = DevServices.in(Path.of(arguments[0]));
      System.out.println(services.postgres().pid() + " " + services.redis().pid());
      services.redis().command("SET", "kept", "yes");
      System.out.println("ready");
      System.in.read();
    }
  }

  @Test
  void servers_end_with_a_killed_jvm_and_the_next_one_finds_their_data() throws Exception {
    Process victim =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Victim.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<ProcessHandle> servers;
    try (BufferedReader output = victim.inputReader()) {
      servers =
          Stream.of(output.readLine().split(" ", -1))
              .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
              .toList();
      assertThat(output.readLine()).isEqualTo("ready");
      assertThatThrownBy(() -> DevServices.in(folder)).hasMessageContaining("in use");
      victim.destroyForcibly().waitFor();
    }
    assertThat(Waiting.until(END_LIMIT, () -> servers.stream().allMatch(Processes::isGone)))
        .isTrue();
    try (DevServices services = DevServices.in(folder)) {
      services.postgres().requireDurable();
      assertThat(services.redis().command("GET", "kept")).isEqualTo("yes");
    }
  }

  @Test
  void a_server_that_outlived_its_jvm_is_ended_by_the_next_start_in_its_folder() {
    LocalRedis leftOver = new LocalRedis(folder);
    leftOver.start();
    leftOver.command("SET", "kept", "yes");

    try (LocalRedis next = new LocalRedis(folder)) {
      assertThat(Waiting.until(END_LIMIT, () -> !leftOver.isAlive())).isTrue();
      next.start();
      assertThat(next.port()).isEqualTo(leftOver.port());
      assertThat(next.command("GET", "kept")).isEqualTo("yes");
    }
  }

  @Test
  void a_pid_that_belongs_to_somebody_else_by_now_is_left_alone() throws IOException {
    Process unrelated = new ProcessBuilder("sleep", "60").start();
    Path pidFile = folder.resolve("pid");
    Files.writeString(pidFile, "%d %d%n".formatted(unrelated.pid(), 1_000L));

    LeftOver.end(pidFile);

    assertThat(unrelated.isAlive()).isTrue();
    assertThat(pidFile).doesNotExist();
    unrelated.destroyForcibly();
  }
}
