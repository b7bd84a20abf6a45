package io.firstcome.devservices.launcher;

import io.firstcome.devservices.launcher.terminal.LauncherException;
import io.firstcome.devservices.launcher.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;

/** The main program of {@code ./firstcome}. */
public final class Launcher {

  private static final int DONE = 0;
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  private Launcher() {}

  /**
   * Runs one command and exits with its status. The script sets the system properties {@code
   * firstcome.root} (the repository), {@code firstcome.terminal} (standard output is a terminal)
   * and {@code firstcome.check} (only check the usage, before a build that takes minutes).
   */
  public static void main(String[] arguments) {
    Terminal terminal = new Terminal(System.out, Boolean.getBoolean("firstcome.terminal"));
    Home home = Home.of(Path.of(System.getProperty("firstcome.root", ".")));
    System.exit(run(List.of(arguments), home, terminal));
  }

  static int run(List<String> arguments, Home home, Terminal terminal) {
    try {
      Command command = Command.parse(arguments);
      if (Boolean.getBoolean("firstcome.check")) {
        return DONE;
      }
      return switch (command) {
        case Command.Up up -> new UpCommand(home, terminal).run(up);
        case Command.Demo demo -> new DemoCommand(home, terminal).run(demo) ? DONE : FAILED;
        case Command.Restart restart -> {
          terminal.line(ControlFile.read(home).restart(restart.part()));
          yield DONE;
        }
        case Command.Help() -> {
          terminal.line(Command.USAGE.stripTrailing());
          yield DONE;
        }
      };
    } catch (Command.UsageException e) {
      terminal.clear();
      System.err.println("firstcome: %s%nTry ./firstcome help".formatted(e.getMessage()));
      return WRONG_USAGE;
    } catch (LauncherException | IllegalStateException e) {
      terminal.clear();
      System.err.println("firstcome: " + e.getMessage());
      return FAILED;
    }
  }
}
