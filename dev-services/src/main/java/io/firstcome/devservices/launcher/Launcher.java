package io.firstcome.devservices.launcher;

import io.firstcome.devservices.launcher.terminal.LauncherException;
import io.firstcome.devservices.launcher.terminal.Terminal;
import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.service.DevIssuer;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The main program of {@code ./firstcome}. */
@Command(
    name = "./firstcome",
    mixinStandardHelpOptions = true,
    description = "Runs Firstcome on this machine, with servers of its own.",
    subcommands = HelpCommand.class,
    footer = {
      "",
      "Two more commands have their own help:",
      "  bench      Measures the performance targets.",
      "  lab        Compares well-known strategies with Firstcome.",
      "",
      "Data is kept in .firstcome/ beside this program, or in the folder FIRSTCOME_HOME. While"
          + " \"up\" runs, .firstcome/services.json contains the addresses of all parts. The AMQP"
          + " broker is RabbitMQ if rabbitmq-server is installed, otherwise Apache Qpid;"
          + " FIRSTCOME_AMQP=qpid always selects Qpid.",
      "",
      "Variables FIRSTCOME_LIMITS_…, FIRSTCOME_PAGE_…, FIRSTCOME_CHALLENGE_…,"
          + " FIRSTCOME_OWNERSUSE, FIRSTCOME_SECURITY_ORIGINS and FIRSTCOME_STRICT, and those of"
          + " traces (MANAGEMENT_OPENTELEMETRY_…, MANAGEMENT_TRACING_…) are passed to the service;"
          + " its other settings are made by this program.",
      "",
      "The service runs with a small heap and only the first JIT compiler (C1), so that it starts"
          + " fast: its speed is not the one that \"bench\" measures.",
      "",
      "Exit status: 0 success (demo: exact; rehearse: go), 1 failure (demo: not exact; rehearse: no go), 2 wrong usage,"
          + " 130 after Ctrl-C and 143 after SIGTERM, both after an orderly shutdown."
    })
final class Launcher {

  private static final int DONE = 0;
  private static final int FAILED = 1;

  private final Home home;
  private final Terminal terminal;

  private Launcher(Home home, Terminal terminal) {
    this.home = home;
    this.terminal = terminal;
  }

  /**
   * Runs one command and exits with its status. The script sets the system properties {@code
   * firstcome.root} (the repository), {@code firstcome.terminal} (standard output is a terminal)
   * and {@code firstcome.check} (only check the usage, before a build that takes minutes).
   */
  public static void main(String[] arguments) {
    var terminal = new Terminal(System.out, Boolean.getBoolean("firstcome.terminal"));
    var home = Home.of(Path.of(System.getProperty("firstcome.root", ".")));
    System.exit(commandLine(home, terminal).execute(arguments));
  }

  static CommandLine commandLine(Home home, Terminal terminal) {
    var commandLine = new CommandLine(new Launcher(home, terminal));
    commandLine.setExecutionExceptionHandler((e, _, _) -> report(e, terminal));
    if (Boolean.getBoolean("firstcome.check")) {
      commandLine.setExecutionStrategy(_ -> DONE);
    }
    return commandLine;
  }

  private static int report(Exception e, Terminal terminal) throws Exception {
    if (!(e instanceof LauncherException || e instanceof IllegalStateException)) {
      throw e;
    }
    terminal.clear();
    System.err.println("firstcome: " + e.getMessage());
    return FAILED;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Starts the service with its servers and a sample coupon, until Ctrl-C.")
  int up(
      @Option(
              names = "--port",
              paramLabel = "N",
              defaultValue = "8080",
              converter = Numbers.Port.class,
              description = "Port of the service (${DEFAULT-VALUE}).")
          int port,
      @Option(names = "--fresh", description = "Deletes the data of earlier runs.") boolean fresh) {
    new UpCommand(home, terminal).run(port, fresh);
    return DONE;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Sends claims of many users for a new coupon concurrently, and proves from the database"
              + " that exactly the stock was issued.")
  int demo(
      @Option(
              names = "--stock",
              paramLabel = "N",
              defaultValue = "100",
              converter = Numbers.Stock.class,
              description = "Quantity of the coupon (${DEFAULT-VALUE}).")
          int stock,
      @Option(
              names = "--users",
              paramLabel = "N",
              defaultValue = "10000",
              converter = Numbers.Users.class,
              description = "Number of users, with one claim each (${DEFAULT-VALUE}).")
          int users,
      @Option(
              names = "--waiting-room",
              description =
                  "The users join a waiting room before the coupon opens, and the room claims for"
                      + " them in the order of their tickets.")
          boolean withRoom) {
    return new DemoCommand(home, terminal).run(stock, users, withRoom) ? DONE : FAILED;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Prints a token for a service that \"up\" runs, for the header \"Authorization:"
              + " Bearer\".")
  int token(
      @Option(names = "--user", paramLabel = "ID", description = "The user, or the operator.")
          @Nullable String user,
      @Option(names = "--shop", paramLabel = "ID", description = "The shop, with coupon:redeem.")
          @Nullable String shop,
      @Option(
              names = "--scope",
              paramLabel = "SCOPE",
              completionCandidates = Scopes.class,
              converter = Scopes.class,
              description = "One of ${COMPLETION-CANDIDATES}; can be repeated.")
          @Nullable List<String> scopes,
      @Option(
              names = "--minutes",
              paramLabel = "N",
              defaultValue = "60",
              converter = Numbers.Minutes.class,
              description = "How long it is valid (${DEFAULT-VALUE}).")
          int minutes) {
    if (user == null && shop == null) {
      throw new LauncherException("a token needs --user or --shop");
    }
    terminal.line(
        DevIssuer.in(Folders.make(home.folder()))
            .token(
                user,
                shop,
                Objects.requireNonNullElse(scopes, List.of()),
                Duration.ofMinutes(minutes)));
    return DONE;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description =
          "Rehearses a drop on a running \"up\": synthetic users claim a clone of a coupon, whose"
              + " user coupons are removed afterwards.")
  int rehearse(
      @Option(
              names = "--coupon",
              paramLabel = "ID",
              defaultValue = DefinitionBody.SAMPLE_ID,
              description = "The coupon that is planned (${DEFAULT-VALUE}).")
          String coupon,
      @Option(
              names = "--users",
              paramLabel = "N",
              defaultValue = "10000",
              converter = Numbers.Users.class,
              description = "Number of users, with one claim each (${DEFAULT-VALUE}).")
          int users,
      @Option(
              names = "--quantity",
              paramLabel = "N",
              defaultValue = "1000",
              converter = Numbers.Users.class,
              description = "Slots of the clone (${DEFAULT-VALUE}).")
          int quantity,
      @Option(
              names = "--shape",
              paramLabel = "SHAPE",
              defaultValue = "BURSTS",
              description = "AT_ONCE, RAMP or BURSTS (${DEFAULT-VALUE}).")
          String shape,
      @Option(
              names = "--seconds",
              paramLabel = "N",
              defaultValue = "5",
              converter = Numbers.Seconds.class,
              description = "From the first to the last claim (${DEFAULT-VALUE}).")
          int seconds,
      @Option(
              names = "--bursts",
              paramLabel = "N",
              defaultValue = "10",
              converter = Numbers.Users.class,
              description = "Groups of users, of the shape BURSTS (${DEFAULT-VALUE}).")
          int bursts,
      @Option(
              names = "--with-faults",
              description =
                  "Kills Redis (SIGKILL) while claims are being sent, and starts it again.")
          boolean withFaults) {
    var plan =
        new RehearseCommand.Plan(coupon, users, quantity, shape, seconds, bursts, withFaults);
    try (var http = HttpClient.newHttpClient()) {
      return new RehearseCommand(home, terminal, http).run(plan) ? DONE : FAILED;
    }
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Restarts one part of a running \"up\" on the same port and data.")
  int restart(
      @Parameters(
              paramLabel = "PART",
              converter = Part.Label.class,
              description = "redis, postgres, amqp or service.")
          Part part) {
    terminal.line(ControlFile.read(home).restart(part, Ending.STOP));
    return DONE;
  }
}
