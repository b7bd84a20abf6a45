package io.firstcome.devservices;

import io.firstcome.devservices.process.FolderLock;
import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.LocalPostgres;
import io.firstcome.devservices.server.LocalQpid;
import io.firstcome.devservices.server.LocalRabbitMq;
import io.firstcome.devservices.server.LocalRedis;
import io.firstcome.devservices.server.LocalSentinel;
import io.firstcome.devservices.server.LocalServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RabbitMqInstallation;
import io.firstcome.devservices.server.RedisClock;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.devservices.server.SentinelServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The backing servers of Firstcome, each started on first use.
 *
 * <p>{@link #shared()} is for tests that only need a server. For each server it uses the first of
 * these that is available: an address in the environment ({@value GivenServers#POSTGRES}, {@value
 * GivenServers#REDIS}, {@value GivenServers#AMQP}, as described there); Docker; a local program,
 * which comes as a Maven artifact or, for RabbitMQ, is installed.
 *
 * <p>{@link #in(Path)} uses local programs and keeps their data and ports in the folder; its
 * servers can be killed and restarted.
 *
 * <p>With {@code -D}{@value DockerServers#SERVERS}{@code =docker}, both use containers only, and
 * fail without Docker. Containers keep their data until the JVM ends.
 *
 * <p>Local programs end with the JVM, also when it is killed. In that case the temporary folder of
 * {@link #shared()} (named {@code firstcome-servers-…}) remains, as does the cache of extracted
 * programs.
 */
public final class DevServices implements AutoCloseable {

  private static final Once<DevServices> SHARED = new Once<>(DevServices::makeShared);
  private static final Once<Boolean> DOCKER = new Once<>(DockerServers::areAvailable);

  private static final String POSTGRES = "postgres";
  private static final String REDIS = "redis";
  private static final String SENTINEL = "sentinel";
  private static final String RABBITMQ = "rabbitmq";
  private static final String QPID = "qpid";

  private final FolderLock lock;
  private final GivenServers given;
  private final BooleanSupplier usesDocker;
  private final Once<LocalPostgres> localPostgres;
  private final Once<LocalRedis> localRedis;
  private final Once<LocalSentinel> localSentinel;
  private final Once<LocalRabbitMq> localRabbitMq;
  private final Once<LocalQpid> localQpid;
  private final Once<PostgresServer> postgres = new Once<>(this::findPostgres);
  private final Once<RedisServer> redis = new Once<>(this::findRedis);
  private final Once<AmqpServer> rabbitMq = new Once<>(this::findRabbitMq);

  private DevServices(
      Path folder,
      GivenServers given,
      BooleanSupplier usesDocker,
      Function<Path, LocalRedis> newRedis) {
    this.lock =
        FolderLock.tryAcquire(folder)
            .orElseThrow(
                () -> new IllegalStateException("the servers in %s are in use".formatted(folder)));
    this.given = given;
    this.usesDocker = usesDocker;
    localPostgres = new Once<>(() -> started(new LocalPostgres(folder.resolve(POSTGRES))));
    localRedis = new Once<>(() -> started(newRedis.apply(folder.resolve(REDIS))));
    localSentinel = new Once<>(() -> started(new LocalSentinel(folder.resolve(SENTINEL), redis())));
    localRabbitMq =
        new Once<>(() -> started(new LocalRabbitMq(folder.resolve(RABBITMQ), installation())));
    localQpid = new Once<>(() -> started(new LocalQpid(folder.resolve(QPID))));
  }

  /**
   * The servers that all tests of this JVM share; they end, and their data is deleted, with the
   * JVM.
   */
  public static DevServices shared() {
    return SHARED.get();
  }

  /**
   * Servers that keep their data in the folder, unless the tests are to run on containers.
   * Processes that a killed JVM left there are ended first.
   *
   * @throws IllegalStateException if the folder is in use by another instance
   */
  public static DevServices in(Path folder) {
    return new DevServices(
        folder, new GivenServers(name -> null), DockerServers::areRequired, LocalRedis::new);
  }

  /**
   * As {@link #in(Path)}, always as local programs, with a Redis whose clock a test can shift.
   *
   * @throws IllegalStateException if this machine lacks the libraries for that
   */
  public static DevServices in(Path folder, RedisClock clock) {
    return new DevServices(
        folder, new GivenServers(name -> null), () -> false, dir -> new LocalRedis(dir, clock));
  }

  /** For {@link #in(Path, RedisClock)}: a correct clock, whose shift is kept in the folder. */
  public static RedisClock redisClockIn(Path folder) {
    return RedisClock.in(folder.resolve(REDIS));
  }

  /**
   * As {@link #in(Path)}, always as local programs, for measurements: with the installed Redis, if
   * there is one. The Redis from the jar is linked with musl, whose allocator takes half of a
   * script's time.
   */
  public static DevServices forMeasurementsIn(Path folder) {
    return new DevServices(
        folder,
        new GivenServers(name -> null),
        () -> false,
        dir -> new LocalRedis(dir, LocalRedis.installed()));
  }

  /**
   * Ends the processes that a killed JVM left running in the folder, as the next start would.
   * Required before the folder is deleted, since only its pid files identify these processes.
   */
  public static void endLeftOvers(Path folder) {
    for (String server : List.of(POSTGRES, REDIS, SENTINEL, RABBITMQ, QPID)) {
      LocalServer.endLeftOver(folder.resolve(server));
    }
    LocalRabbitMq.endLeftOverEpmd(folder.resolve(RABBITMQ));
  }

  private static DevServices makeShared() {
    try {
      Path folder = Files.createTempDirectory("firstcome-servers-");
      boolean dockerOnly = DockerServers.areRequired();
      DevServices services =
          new DevServices(
              folder,
              new GivenServers(dockerOnly ? name -> null : System::getenv),
              () -> dockerOnly || DOCKER.get(),
              LocalRedis::new);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    services.startedHere().forEach(LocalServer::kill);
                    services.close();
                    Folders.delete(folder);
                  },
                  "firstcome-servers-end"));
      return services;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public PostgresServer postgres() {
    return postgres.get();
  }

  public RedisServer redis() {
    return redis.get();
  }

  /** A Sentinel that watches {@link #redis()}, which must be a local program. */
  public SentinelServer sentinel() {
    return localSentinel.get();
  }

  /** RabbitMQ if it is available, otherwise Qpid. */
  public AmqpServer amqp() {
    boolean rabbit = given.amqp().isPresent() || isRabbitMqInstalled() || usesDocker.getAsBoolean();
    return rabbit ? rabbitmq() : qpid();
  }

  /**
   * A real RabbitMQ, for tests of behaviour that Qpid does not have.
   *
   * @throws IllegalStateException if there is none, so that such a test fails and is not skipped
   */
  public AmqpServer rabbitmq() {
    return rabbitMq.get();
  }

  /** Apache Qpid, for tests of the broker that machines without RabbitMQ use. */
  public AmqpServer qpid() {
    return localQpid.get();
  }

  /** Whether the programs for a private RabbitMQ node are installed on this machine. */
  public static boolean isRabbitMqInstalled() {
    return RabbitMqInstallation.find().isPresent();
  }

  /**
   * Cleanly stops the local programs that were started here. Containers are removed when the JVM
   * ends.
   */
  @Override
  public void close() {
    startedHere().forEach(LocalServer::close);
    lock.close();
  }

  /** In the order to stop them: brokers first, the database last. */
  private List<LocalServer> startedHere() {
    return Stream.of(localRabbitMq, localQpid, localSentinel, localRedis, localPostgres)
        .<Optional<? extends LocalServer>>map(Once::ifMade)
        .<LocalServer>flatMap(Optional::stream)
        .toList();
  }

  private PostgresServer findPostgres() {
    PostgresServer found =
        given
            .postgres()
            .or(() -> fromDocker(DockerServers::postgres))
            .orElseGet(localPostgres::get);
    found.requireDurable();
    return found;
  }

  private RedisServer findRedis() {
    return given.redis().or(() -> fromDocker(DockerServers::redis)).orElseGet(localRedis::get);
  }

  private AmqpServer findRabbitMq() {
    return given.amqp().or(() -> fromDocker(DockerServers::rabbitMq)).orElseGet(localRabbitMq::get);
  }

  private <T> Optional<T> fromDocker(Supplier<T> container) {
    return usesDocker.getAsBoolean() ? Optional.of(container.get()) : Optional.empty();
  }

  private static RabbitMqInstallation installation() {
    return RabbitMqInstallation.find()
        .orElseThrow(() ->
            new IllegalStateException(
                "RabbitMQ is required and was not found: install rabbitmq-server (with"
                    + " Erlang's epmd), run Docker, or set "
                    + GivenServers.AMQP));
  }

  private static <T extends LocalServer> T started(T server) {
    server.start();
    return server;
  }
}
