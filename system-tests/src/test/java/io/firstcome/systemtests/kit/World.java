package io.firstcome.systemtests.kit;

import io.firstcome.devservices.AmqpServer;
import io.firstcome.devservices.BackingServer;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.Folders;
import io.firstcome.devservices.PostgresServer;
import io.firstcome.devservices.RedisClock;
import io.firstcome.devservices.RedisServer;
import io.firstcome.devservices.ServiceProcess;
import io.firstcome.devservices.ServiceSettings;
import io.firstcome.devservices.ServiceSettings.Host;
import io.firstcome.systemtests.agent.AgentArguments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Real servers and one instance of the packaged service. The servers are programs of our own, so
 * that they can be killed and restarted, and end with the JVM at the latest.
 *
 * <p>Most tests share {@link #get()}, and those that spoil the network {@link #behindProxies()}. A
 * test takes coupons and users that no other one has, and leaves everything running; what it has
 * stopped, cut or paused {@link #mend()} puts right. Who ruins what others need, such as the
 * database's past, takes a world {@link #ofItsOwn}.
 */
public final class World implements Deployment, AutoCloseable {

  /** I10: after a fault is healed nothing is under way any more within this time. */
  public static final Duration REST_LIMIT = Duration.ofSeconds(60);

  private static final Duration READY_LIMIT = Duration.ofSeconds(90);

  /** Starts sooner, and no test lasts long enough to gain from the second compiler. */
  private static final List<String> JVM_OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-Xmx256m");

  private static final List<World> OPEN = new CopyOnWriteArrayList<>();

  private final Path folder;
  private final DevServices servers;
  private final Optional<Links> links;
  private final Optional<RedisPair> redisPair;
  private final Optional<RedisClock> redisClock;
  private final String codeKey = newCodeKey();
  private final List<Path> logs = new CopyOnWriteArrayList<>();
  private final AgentJar agent;
  private final RequestRecord record;
  private final ServiceProcess service;
  private final Map<String, Long> epochsAtDefinition = new ConcurrentHashMap<>();

  /** What is between the service and its servers. */
  private enum Between {
    NOTHING,
    PROXIES,
    SENTINEL,
    /** The servers are reached directly, and the clock of Redis can be made wrong. */
    REDIS_CLOCK
  }

  private World(String name, Between between) {
    folder = Path.of(property("firstcome.work")).resolve(name);
    DevServices.endLeftOvers(folder);
    DevServices.endLeftOvers(folder.resolve("replica"));
    DevServices.endLeftOvers(folder.resolve("preferred"));
    ServiceProcess.endLeftOver(folder.resolve("first"));
    Folders.delete(folder);
    redisClock =
        between == Between.REDIS_CLOCK
            ? Optional.of(DevServices.redisClockIn(folder))
            : Optional.empty();
    servers =
        redisClock
            .map(clock -> DevServices.in(folder, clock))
            .orElseGet(() -> DevServices.in(folder));
    // Together they take no longer than the slowest.
    CompletableFuture.allOf(
            CompletableFuture.runAsync(servers::rabbitmq),
            CompletableFuture.runAsync(servers::postgres),
            CompletableFuture.runAsync(servers::redis))
        .join();
    links = between == Between.PROXIES ? Optional.of(Links.to(servers)) : Optional.empty();
    redisPair =
        between == Between.SENTINEL
            ? Optional.of(new RedisPair(servers, folder.resolve("replica")))
            : Optional.empty();
    agent = AgentJar.in(folder);
    record = new RequestRecord(folder.resolve("requests.tsv"));
    service = start("first", Map.of());
    OPEN.add(this);
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "world-end"));
    service.awaitReady(READY_LIMIT);
  }

  private void end() {
    if (OPEN.remove(this)) {
      service.kill();
      amqp().kill();
      redisPair.ifPresent(RedisPair::close);
      servers.redis().kill();
      postgres().kill();
      links.ifPresent(Links::close);
      record.close();
    }
  }

  /** Made when first asked for. */
  private static final class Shared {
    static final World INSTANCE = new World("shared", Between.NOTHING);
  }

  /** Made when first asked for. */
  private static final class BehindProxies {
    static final World INSTANCE = new World("behind-proxies", Between.PROXIES);
  }

  /** The one whose service stands directly before its servers. */
  public static World get() {
    return Shared.INSTANCE;
  }

  /** The one whose service reaches its servers through {@link #links()}. */
  public static World behindProxies() {
    return BehindProxies.INSTANCE;
  }

  /** A further one behind proxies, for one test class, which closes it. */
  public static World ofItsOwn(String name) {
    return new World(name, Between.PROXIES);
  }

  /** A further one directly before its servers, for one test class, which closes it. */
  public static World direct(String name) {
    return new World(name, Between.NOTHING);
  }

  /**
   * One whose Redis is a {@link RedisPair} and whose answers wait for the replica, for one test
   * class, which closes it.
   */
  public static World underSentinel(String name) {
    return new World(name, Between.SENTINEL);
  }

  /** One whose Redis has a clock that can be made wrong, for one test class, which closes it. */
  public static World withRedisClock(String name) {
    return new World(name, Between.REDIS_CLOCK);
  }

  /** All that were made and not closed. */
  static List<World> allOpen() {
    return OPEN;
  }

  /** Ends everything, after a look at the logs. */
  @Override
  public void close() {
    try {
      QuietLogs.assertQuiet(this);
    } finally {
      end();
      servers.close();
    }
  }

  /** Everything runs and passes again, whatever a test has left behind. */
  public void mend() {
    links.ifPresent(Links::heal);
    for (BackingServer server : List.of(postgres(), redis(), amqp())) {
      if (server.isAlive()) {
        server.resume();
      } else {
        server.restart();
      }
    }
    if (service.isAlive()) {
      service.resume();
    } else {
      service.restart();
    }
    ready(service);
    awaitOpen();
  }

  /**
   * Waits until every partition takes calls. The service itself may not have noticed yet that Redis
   * was emptied, where nobody has called the partition since.
   */
  public void awaitOpen() {
    Await.until(READY_LIMIT, "open partitions", this::isOpen);
  }

  /** Whether every partition takes calls, by what Redis and the database say. */
  public boolean isOpen() {
    return Fences.areOpen(redis(), postgres());
  }

  /** Starts a further instance on the same servers, with all that instances share. */
  public ServiceProcess start(String name, Map<String, String> environment) {
    return start(name, jar(), Host.LOOPBACK, environment, List.of());
  }

  /** Starts a further instance on another host. */
  public ServiceProcess startAt(SeparateHost host, String name) {
    return start(name, jar(), host.place(), Map.of(), List.of());
  }

  /** Starts a further instance that has the fault agent in it. */
  public ServiceProcess startFaulty(String name, AgentArguments fault) {
    return startFaulty(name, Host.LOOPBACK, Map.of(), fault);
  }

  ServiceProcess startFaulty(
      String name, Host host, Map<String, String> environment, AgentArguments fault) {
    return start(name, jar(), host, environment, List.of(agent.option(fault)));
  }

  /** Starts a further instance of a release in which these Lua scripts differ. */
  public ServiceProcess startOtherRelease(String name, Set<String> scripts) {
    Path jar = OtherRelease.in(folder.resolve(name + "-jar"), jar(), scripts);
    return start(name, jar, Host.LOOPBACK, Map.of(), List.of());
  }

  private static Path jar() {
    return Path.of(property("firstcome.jar"));
  }

  private ServiceProcess start(
      String name, Path jar, Host host, Map<String, String> environment, List<String> jvmOptions) {
    Map<String, String> all = new HashMap<>(Map.of("FIRSTCOME_CODEKEYS_1", codeKey));
    links.ifPresent(ways -> all.putAll(ways.environment(postgres().database())));
    redisPair.ifPresent(pair -> all.putAll(pair.environment()));
    all.putAll(environment);
    ServiceProcess started =
        ServiceProcess.start(
            ServiceSettings.of(jar, folder.resolve(name), postgres(), redis(), amqp())
                .withHost(host)
                .withJvmOptions(
                    Stream.concat(JVM_OPTIONS.stream(), jvmOptions.stream()).toArray(String[]::new))
                .withEnvironment(all));
    logs.add(started.logFile());
    return started;
  }

  /** Waits until the instance takes requests. */
  public static ServiceProcess ready(ServiceProcess service) {
    service.awaitReady(READY_LIMIT);
    return service;
  }

  @Override
  public PostgresServer postgres() {
    return servers.postgres();
  }

  /** With several, the one that is the master now. */
  @Override
  public RedisServer redis() {
    return redisPair.map(RedisPair::master).orElseGet(servers::redis);
  }

  /**
   * The two of a world under Sentinel.
   *
   * @throws IllegalStateException if it has only one
   */
  public RedisPair redisPair() {
    return redisPair.orElseThrow(() -> new IllegalStateException("this world has one Redis only"));
  }

  /**
   * The clock of Redis.
   *
   * @throws IllegalStateException if it is that of the machine
   */
  public RedisClock redisClock() {
    return redisClock.orElseThrow(
        () -> new IllegalStateException("the Redis of this world has the machine's clock"));
  }

  @Override
  public AmqpServer amqp() {
    return servers.rabbitmq();
  }

  /**
   * The ways of all instances to the servers.
   *
   * @throws IllegalStateException if no proxies are in between
   */
  public Links links() {
    return links.orElseThrow(() ->
        new IllegalStateException("the service of this world stands directly before its servers"));
  }

  /** The instance that always runs. */
  public ServiceProcess service() {
    return service;
  }

  /** Of the instance that always runs. */
  @Override
  public int servicePort() {
    return service.port();
  }

  /** Where the servers keep their data, each in a folder of its kind's name. */
  Path folder() {
    return folder;
  }

  @Override
  public RequestRecord record() {
    return record;
  }

  /** The sum of a metric of the instance over all lines that have the labels, as they are told. */
  public static double metric(ServiceProcess instance, String name, String labels) {
    return send(instance, Call.bare("GET", "/actuator/prometheus"))
        .body()
        .lines()
        .filter(line ->
            (line.startsWith(name + " ") || line.startsWith(name + "{")) && line.contains(labels))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  /** Sends one request to the instance, on a connection of its own. */
  public static Answer send(ServiceProcess instance, Call call) {
    return Deployment.send(instance.port(), call);
  }

  @Override
  public String define(CouponFixtures coupon) {
    String couponId = Deployment.super.define(coupon);
    epochsAtDefinition.put(couponId, StoredCoupon.read(postgres(), couponId).epoch());
    return couponId;
  }

  /** The epoch of the coupon's partition when the coupon was defined. */
  long epochAtDefinition(String couponId) {
    return Objects.requireNonNull(epochsAtDefinition.get(couponId), couponId);
  }

  /** Lets these users claim at any of the instances. */
  public Crowd crowd(String couponId, List<String> users, ServiceProcess... instances) {
    return Crowd.start(record, couponId, users, ports(instances));
  }

  /** Lets these users claim at these ports of loopback. */
  public Crowd crowdAt(String couponId, List<String> users, List<Integer> ports) {
    return Crowd.start(record, couponId, users, ports);
  }

  /** Lets these users claim once, at the instance that always runs. */
  public Crowd crowdAskingOnce(String couponId, List<String> users) {
    return Crowd.startOnce(record, couponId, users, ports(service));
  }

  private static List<Integer> ports(ServiceProcess... instances) {
    return Arrays.stream(instances).map(ServiceProcess::port).toList();
  }

  public Claimant claimant() {
    return new Claimant(service.port(), record);
  }

  /** What all instances have logged so far. */
  @Override
  public List<Path> logs() {
    return logs.stream().filter(Files::exists).toList();
  }

  static String property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new IllegalStateException("the build sets -D" + name);
    }
    return value;
  }

  private static String newCodeKey() {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    return Base64.getEncoder().encodeToString(key);
  }
}
