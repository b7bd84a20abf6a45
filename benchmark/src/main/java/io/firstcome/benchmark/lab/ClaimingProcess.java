package io.firstcome.benchmark.lab;

import io.firstcome.benchmark.lab.strategy.Contender;
import io.firstcome.benchmark.lab.strategy.Stores;
import io.firstcome.benchmark.rig.ServiceLikeJvm;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The process that sends claims until it is killed: it starts a strategy on prepared stores, and
 * writes each winner to a file before the answer counts as received. It does not exit before its
 * parent process.
 */
@Command(name = ClaimingProcess.NAME, hidden = true)
final class ClaimingProcess implements Callable<Integer> {

  static final String NAME = "claiming-process";

  /** Passwords are in the environment, which other users of the machine cannot read. */
  static final String DATABASE_PASSWORD = "FIRSTCOME_LAB_DATABASE_PASSWORD";

  static final String AMQP_PASSWORD = "FIRSTCOME_LAB_AMQP_PASSWORD";

  @Option(names = "--strategy", required = true)
  private String strategy = "";

  @Option(names = "--users", required = true)
  private int users;

  @Option(names = "--stock", required = true)
  private int stock;

  @Option(names = "--seed", required = true)
  private long seed;

  @Option(names = "--postgres-host", required = true)
  private String postgresHost = "";

  @Option(names = "--postgres-port", required = true)
  private int postgresPort;

  @Option(names = "--postgres-user", required = true)
  private String postgresUser = "";

  @Option(names = "--database", required = true)
  private String database = "";

  @Option(names = "--firstcome-database", required = true)
  private String firstcomeDatabase = "";

  @Option(names = "--redis-host", required = true)
  private String redisHost = "";

  @Option(names = "--redis-port", required = true)
  private int redisPort;

  @Option(names = "--amqp-kind", required = true)
  private AmqpServer.Kind amqpKind = AmqpServer.Kind.RABBITMQ;

  @Option(names = "--amqp-host", required = true)
  private String amqpHost = "";

  @Option(names = "--amqp-port", required = true)
  private int amqpPort;

  @Option(names = "--amqp-user", required = true)
  private String amqpUser = "";

  @Option(names = "--winners", required = true)
  private Path winners = Path.of("");

  /** The command line that starts such a process. */
  static List<String> arguments(Contender contender, Stores stores, Load load, Path winners) {
    return List.of(
        "lab",
        NAME,
        "--strategy=" + contender.id(),
        "--users=" + load.users(),
        "--stock=" + load.quantity(),
        "--seed=" + load.seed(),
        "--postgres-host=" + stores.postgres().host(),
        "--postgres-port=" + stores.postgres().port(),
        "--postgres-user=" + stores.postgres().user(),
        "--database=" + stores.database(),
        "--firstcome-database=" + stores.firstcomeDatabase(),
        "--redis-host=" + stores.redis().host(),
        "--redis-port=" + stores.redis().port(),
        "--amqp-kind=" + stores.amqp().kind(),
        "--amqp-host=" + stores.amqp().host(),
        "--amqp-port=" + stores.amqp().port(),
        "--amqp-user=" + stores.amqp().user(),
        "--winners=" + winners);
  }

  @Override
  public Integer call() throws Exception {
    ServiceLikeJvm.prepare();
    var contender = Contenders.find(strategy).orElseThrow();
    var stores =
        new Stores(
            PostgresServer.at(
                postgresHost, postgresPort, database, postgresUser, password(DATABASE_PASSWORD)),
            RedisServer.at(redisHost, redisPort),
            AmqpServer.at(amqpKind, amqpHost, amqpPort, amqpUser, password(AMQP_PASSWORD)),
            database,
            firstcomeDatabase);
    var load = new Load(users, stock, seed);
    try (var file =
            FileChannel.open(winners, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        var claiming = contender.opener().open(stores, load.quantity())) {
      claiming.start();
      var _ =
          new CallerBurst(claiming, load.requests(), new ReportedWins(), user -> write(file, user))
              .run();
      Files.createFile(doneMark(winners));
      awaitEndOfParent();
    }
    return 0;
  }

  /** The file that is created when all requests are sent, in the folder of the winners file. */
  static Path doneMark(Path winners) {
    return winners.resolveSibling(winners.getFileName() + ".done");
  }

  private static String password(String variable) {
    return Objects.requireNonNull(System.getenv(variable), variable);
  }

  private static void write(FileChannel file, String user) {
    try {
      var _ = file.write(ByteBuffer.wrap((user + "\n").getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the end of the parent process: it never writes, and its end closes the pipe. */
  private static void awaitEndOfParent() throws IOException {
    var _ = System.in.read();
  }
}
