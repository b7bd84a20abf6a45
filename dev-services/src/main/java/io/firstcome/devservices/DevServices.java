package io.firstcome.devservices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The backing servers of Firstcome, each started when first asked for.
 *
 * <p>{@link #shared()} is for tests that only need a server. It takes, for each one, the first of
 * three ways that answers: an address in the environment ({@value GivenServers#POSTGRES}, {@value
 * GivenServers#REDIS}, {@value GivenServers#AMQP}, as described there); Docker; programs of this
 * machine, which come as Maven artifacts, or for RabbitMQ are installed.
 *
 * <p>{@link #in(Path)} always uses programs, keeps their data and ports in the folder, and its
 * servers can be killed and restarted.
 *
 * <p>Programs end with the JVM however it ends. When it is killed, the temporary folder of {@link
 * #shared()} (named {@code firstcome-servers-…}) remains, as does the cache of extracted programs.
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
  private final boolean mayUseDocker;
  private final Once<LocalPostgres> localPostgres;
  private final Once<LocalRedis> localRedis;
  private final Once<LocalSentinel> localSentinel;
  private final Once<LocalRabbitMq> localRabbitMq;
  private final Once<LocalQpid> localQpid;
  private final Once<PostgresServer> postgres = new Once<>(this::findPostgres);
  private final Once<RedisServer> redis = new Once<>(this::findRedis);
  private final Once<AmqpServer> rabbitMq = new Once<>(this::findRabbitMq);

  private DevServices(
      Path folder, GivenServers given, boolean mayUseDocker, Function<Path, LocalRedis> newRedis) {
    this.lock =
        FolderLock.tryAcquire(folder)
            .orElseThrow(
                () -> new IllegalStateException("the servers in %s are in use".formatted(folder)));
    this.given = given;
    this.mayUseDocker = mayUseDocker;
    localPostgres = new Once<>(() -> started(new LocalPostgres(folder.resolve(POSTGRES))));
    localRedis = new Once<>(() -> started(newRedis.apply(folder.resolve(REDIS))));
    localSentinel = new Once<>(() -> started(new LocalSentinel(folder.resolve(SENTINEL), redis())));
    localRabbitMq =
        new Once<>(() -> started(new LocalRabbitMq(folder.resolve(RABBITMQ), installation())));
    localQpid = new Once<>(() -> started(new LocalQpid(folder.resolve(QPID))));
  }

  /** The servers that all tests of this JVM share; they end, and their data goes, with the JVM. */
  public static DevServices shared() {
    return SHARED.get();
  }

  /**
   * Servers whose data stays in the folder. Left-overs of a killed JVM there are ended first.
   *
   * @throws IllegalStateException while another user of the folder runs
   */
  public static DevServices in(Path folder) {
    return new DevServices(folder, new GivenServers(name -> null), false, LocalRedis::new);
  }

  /**
   * The same, with a Redis whose clock a test can set wrong.
   *
   * @throws IllegalStateException if this machine has not what that takes
   */
  public static DevServices in(Path folder, RedisClock clock) {
    return new DevServices(
        folder, new GivenServers(name -> null), false, of -> new LocalRedis(of, clock));
  }

  /** For {@link #in(Path, RedisClock)}: a clock that is right, and kept in the folder. */
  public static RedisClock redisClockIn(Path folder) {
    return RedisClock.in(folder.resolve(REDIS));
  }

  /**
   * The same for measurements: with the Redis that is installed on this machine, where one is. That
   * of the jar is linked with musl, whose allocator takes half of a script's time.
   */
  public static DevServices forMeasurementsIn(Path folder) {
    return new DevServices(
        folder,
        new GivenServers(name -> null),
        false,
        of -> new LocalRedis(of, LocalRedis.installed()));
  }

  /**
   * Ends what a killed JVM left running there, as the next start would: for callers who are about
   * to delete the folder and with it the only trace of those processes.
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
      DevServices services =
          new DevServices(folder, new GivenServers(System::getenv), true, LocalRedis::new);
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

  /** A Sentinel that watches {@link #redis()}, which must be a program of this machine. */
  public SentinelServer sentinel() {
    return localSentinel.get();
  }

  /** RabbitMQ where there is one, else Qpid. */
  public AmqpServer amqp() {
    boolean rabbit = given.amqp().isPresent() || isRabbitMqInstalled() || hasDocker();
    return rabbit ? rabbitmq() : qpid();
  }

  /**
   * A true RabbitMQ, for tests of what only it does.
   *
   * @throws IllegalStateException if there is none, so that such a test fails and is not skipped
   */
  public AmqpServer rabbitmq() {
    return rabbitMq.get();
  }

  /** Apache Qpid, for tests of what machines without RabbitMQ get. */
  public AmqpServer qpid() {
    return localQpid.get();
  }

  /** Whether this machine has the programs for a RabbitMQ node of our own. */
  public static boolean isRabbitMqInstalled() {
    return RabbitMqInstallation.find().isPresent();
  }

  /** Stops what was started here, cleanly; what the environment gave stays as it is. */
  @Override
  public void close() {
    startedHere().forEach(LocalServer::close);
    lock.close();
  }

  /** Brokers first and the database last: the order in which they depend on each other's work. */
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
    return hasDocker() ? Optional.of(container.get()) : Optional.empty();
  }

  private boolean hasDocker() {
    return mayUseDocker && DOCKER.get();
  }

  private static RabbitMqInstallation installation() {
    return RabbitMqInstallation.find()
        .orElseThrow(() ->
            new IllegalStateException(
                "this needs a true RabbitMQ, and there is none: install rabbitmq-server (with"
                    + " Erlang's epmd), run Docker, or set "
                    + GivenServers.AMQP));
  }

  private static <T extends LocalServer> T started(T server) {
    server.start();
    return server;
  }
}
