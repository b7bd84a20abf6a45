package io.firstcome.devservices.launcher;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** A parsed command line. */
sealed interface Command {

  int DEFAULT_PORT = 8080;
  int PORT_MAX = 65_535;
  int DEFAULT_STOCK = 100;
  int DEFAULT_USERS = 10_000;

  /** The limit of the service for one coupon. */
  int STOCK_MAX = 100_000_000;

  /** The replies to all users are kept in memory until the check. */
  int USERS_MAX = 1_000_000;

  String USAGE =
      """
      Usage: ./firstcome COMMAND [OPTION...]

        up       Starts the service with its servers and a sample coupon, until Ctrl-C.
                   --port N    port of the service (8080)
                   --fresh     deletes the data of earlier runs
        demo     Sends claims of many users for a new coupon concurrently, and proves from
                 the database that exactly the stock was issued.
                   --stock N   quantity of the coupon (100)
                   --users N   number of users, with one claim each (10000)
        restart redis|postgres|amqp|service
                 Restarts one part of a running "up" on the same port and data.
        bench    Measures the performance targets; see bench --help.
        lab      Compares well-known strategies with Firstcome; see lab --help.
        help     Shows this text.

      Data is kept in .firstcome/ beside this program, or in the folder FIRSTCOME_HOME. While
      "up" runs, .firstcome/services.json contains the addresses of all parts. The AMQP broker
      is RabbitMQ if rabbitmq-server is installed, otherwise Apache Qpid; FIRSTCOME_AMQP=qpid
      always selects Qpid.

      Exit status: 0 success (demo: exact), 1 failure (demo: not exact), 2 wrong usage,
      130 after Ctrl-C and 143 after SIGTERM, both after an orderly shutdown.
      """;

  record Up(int port, boolean fresh) implements Command {}

  record Demo(int stock, int users) implements Command {}

  record Restart(Part part) implements Command {}

  record Help() implements Command {}

  /** A malformed command line; the message describes the error. */
  final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UsageException(String message) {
      super(message);
    }
  }

  static Command parse(List<String> arguments) {
    Iterator<String> rest = arguments.iterator();
    if (!rest.hasNext()) {
      throw new UsageException("a command is missing");
    }
    String name = rest.next();
    return switch (name) {
      case "up" -> up(rest);
      case "demo" -> demo(rest);
      case "restart" -> restart(rest);
      case "help", "--help", "-h" -> new Help();
      default -> throw new UsageException("unknown command '%s'".formatted(name));
    };
  }

  private static Command up(Iterator<String> rest) {
    int port = DEFAULT_PORT;
    boolean fresh = false;
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--port" -> port = number(option, rest, PORT_MAX);
        case "--fresh" -> fresh = true;
        case "--help", "-h" -> {
          return new Help();
        }
        default -> throw unknownOption("up", option);
      }
    }
    return new Up(port, fresh);
  }

  private static Command demo(Iterator<String> rest) {
    int stock = DEFAULT_STOCK;
    int users = DEFAULT_USERS;
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--stock" -> stock = number(option, rest, STOCK_MAX);
        case "--users" -> users = number(option, rest, USERS_MAX);
        case "--help", "-h" -> {
          return new Help();
        }
        default -> throw unknownOption("demo", option);
      }
    }
    return new Demo(stock, users);
  }

  private static Command restart(Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new UsageException("restart needs one of " + Part.names());
    }
    String name = rest.next();
    if (name.equals("--help") || name.equals("-h")) {
      return new Help();
    }
    if (rest.hasNext()) {
      throw unknownOption("restart", rest.next());
    }
    return new Restart(
        Part.named(name)
            .orElseThrow(() ->
                new UsageException(
                    "cannot restart '%s', only one of %s".formatted(name, Part.names()))));
  }

  private static int number(String option, Iterator<String> rest, int max) {
    if (!rest.hasNext()) {
      throw new UsageException("%s needs a number".formatted(option));
    }
    String text = rest.next();
    try {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    throw new UsageException(
        String.format(Locale.ROOT, "%s needs a number from 1 to %d, not '%s'", option, max, text));
  }

  private static UsageException unknownOption(String command, String option) {
    return new UsageException("%s: unexpected argument '%s'".formatted(command, option));
  }
}
