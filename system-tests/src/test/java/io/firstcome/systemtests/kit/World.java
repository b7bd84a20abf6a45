package io.firstcome.systemtests.kit;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.BackingServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisClock;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.devservices.service.ServiceSettings;
import io.firstcome.devservices.service.ServiceSettings.Host;
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
 * Real servers and one instance of the packaged service. The tests start the servers themselves, so
 * that they can kill and restart them; the servers end with the JVM at the latest.
 *
 * <p>Most tests share {@link #get()}; tests with network faults share {@link #behindProxies()}. A
 * test uses coupons and users of its own, and leaves everything running; {@link #mend()} repairs
 * what it has stopped, cut or frozen. A test that destroys what others need, such as committed
 * rows, uses a world {@link #ofItsOwn}.
 */
public final class World implements Deployment, AutoCloseable {

  /** I10: after a fault is healed, all work is done within this time. */
  public static final Duration REST_LIMIT = Duration.ofSeconds(60);

  private static final Duration READY_LIMIT = Duration.ofSeconds(90);

  /** A faster start; no test lasts long enough to benefit from C2. */
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
    // In parallel, as each start takes seconds.
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
    service = start("first", ServiceSettings.PAGES);
    OPEN.add(this);
    Runtime.getRuntime().addShutdownHook(new Thread(this::end, "world-end"));
    service.awaitReadyAndArchived(READY_LIMIT);
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

  /** Created on first use. */
  private static final class Shared {
    static final World INSTANCE = new World("shared", Between.NOTHING);
  }

  /** Created on first use. */
  private static final class BehindProxies {
    static final World INSTANCE = new World("behind-proxies", Between.PROXIES);
  }

  /** The shared world whose service connects directly to its servers. */
  public static World get() {
    return Shared.INSTANCE;
  }

  /** The shared world whose service connects to its servers through {@link #links()}. */
  public static World behindProxies() {
    return BehindProxies.INSTANCE;
  }

  /** A new world behind proxies, for one test class, which closes it. */
  public static World ofItsOwn(String name) {
    return new World(name, Between.PROXIES);
  }

  /** A new world without proxies, for one test class, which closes it. */
  public static World direct(String name) {
    return new World(name, Between.NOTHING);
  }

  /**
   * A new world with a {@link RedisPair}, in which replies wait for the replica, for one test
   * class, which closes it.
   */
  public static World underSentinel(String name) {
    return new World(name, Between.SENTINEL);
  }

  /** A new world whose Redis clock can be made wrong, for one test class, which closes it. */
  public static World withRedisClock(String name) {
    return new World(name, Between.REDIS_CLOCK);
  }

  /** All open worlds. */
  static List<World> allOpen() {
    return OPEN;
  }

  /** Checks the logs, then ends everything. */
  @Override
  public void close() {
    try {
      QuietLogs.assertQuiet(this);
    } finally {
      end();
      servers.close();
    }
  }

  /** Makes all servers run and all connections work again, after any test. */
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
   * Waits until every partition is open. The service may not have detected yet that Redis was
   * emptied, if there was no call since.
   */
  public void awaitOpen() {
    Await.until(READY_LIMIT, "open partitions", this::isOpen);
  }

  /** Whether every partition is open, by the state in Redis and the database. */
  public boolean isOpen() {
    return Fences.areOpen(redis(), postgres());
  }

  /** Authenticates claim messages as the instances do. */
  public MessageSeals seals() {
    return new MessageSeals(codeKey);
  }

  /** Starts another instance on the same servers, with the shared settings. */
  public ServiceProcess start(String name, Map<String, String> environment) {
    return start(name, jar(), Host.LOOPBACK, environment, List.of());
  }

  /** Starts another instance, on another host. */
  public ServiceProcess startAt(SeparateHost host, String name) {
    return start(name, jar(), host.place(), Map.of(), List.of());
  }

  /** Starts another instance, with the fault agent. */
  public ServiceProcess startFaulty(String name, AgentArguments fault) {
    return startFaulty(name, Host.LOOPBACK, Map.of(), fault);
  }

  ServiceProcess startFaulty(
      String name, Host host, Map<String, String> environment, AgentArguments fault) {
    return start(name, jar(), host, environment, List.of(agent.option(fault)));
  }

  /** Starts another instance, of a release in which these Lua scripts differ. */
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
    links.ifPresent(proxies -> all.putAll(proxies.environment(postgres().database())));
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

  /** Waits until the instance is ready. */
  public static ServiceProcess ready(ServiceProcess service) {
    service.awaitReady(READY_LIMIT);
    return service;
  }

  @Override
  public PostgresServer postgres() {
    return servers.postgres();
  }

  /** The current master if there are several. */
  @Override
  public RedisServer redis() {
    return redisPair.map(RedisPair::master).orElseGet(servers::redis);
  }

  /**
   * The Redis servers of a world under Sentinel.
   *
   * @throws IllegalStateException if the world has only one
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
   * The proxies between all instances and the servers.
   *
   * @throws IllegalStateException if there are none
   */
  public Links links() {
    return links.orElseThrow(() -> new IllegalStateException("this world has no proxies"));
  }

  /** The world's own instance. */
  public ServiceProcess service() {
    return service;
  }

  /** The port of the world's own instance. */
  @Override
  public int servicePort() {
    return service.port();
  }

  /** The folder of the data of the servers, with one subfolder for each kind. */
  Path folder() {
    return folder;
  }

  @Override
  public RequestRecord record() {
    return record;
  }

  /** The sum of a metric of the instance over all lines with these labels, as exposed. */
  public static double metric(ServiceProcess instance, String name, String labels) {
    return manage(instance, "/actuator/prometheus")
        .body()
        .lines()
        .filter(line ->
            (line.startsWith(name + " ") || line.startsWith(name + "{")) && line.contains(labels))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  /** Sends a GET request to the instance's management port. */
  public static Answer manage(ServiceProcess instance, String path) {
    return Deployment.send(instance.managementPort(), Call.bare("GET", path));
  }

  /** Sends one request to the instance, on a connection of its own. */
  public static Answer send(ServiceProcess instance, Call call) {
    return Deployment.send(instance.port(), call);
  }

  @Override
  public String define(CouponRequests coupon) {
    String couponId = Deployment.super.define(coupon);
    epochsAtDefinition.put(couponId, StoredCoupon.read(postgres(), couponId).epoch());
    return couponId;
  }

  /** The epoch of the coupon's partition when the coupon was defined. */
  long epochAtDefinition(String couponId) {
    return Objects.requireNonNull(epochsAtDefinition.get(couponId), couponId);
  }

  /** Starts a crowd of these users at the instances. */
  public Crowd crowd(String couponId, List<String> users, ServiceProcess... instances) {
    return Crowd.start(record, couponId, users, ports(instances));
  }

  /** Starts a crowd of these users at these ports of loopback. */
  public Crowd crowdAt(String couponId, List<String> users, List<Integer> ports) {
    return Crowd.start(record, couponId, users, ports);
  }

  /** Starts a crowd without retries at the world's own instance. */
  public Crowd crowdWithoutRetries(String couponId, List<String> users) {
    return crowdWithoutRetries(couponId, users, service);
  }

  /** The same at another instance. */
  public Crowd crowdWithoutRetries(String couponId, List<String> users, ServiceProcess instance) {
    return Crowd.startOnce(record, couponId, users, ports(instance));
  }

  private static List<Integer> ports(ServiceProcess... instances) {
    return Arrays.stream(instances).map(ServiceProcess::port).toList();
  }

  public Claimant claimant() {
    return new Claimant(service.port(), record);
  }

  /** The log files of all instances. */
  @Override
  public List<Path> logs() {
    return logs.stream().filter(Files::exists).toList();
  }

  static String property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new IllegalStateException("missing property, which the build sets: -D" + name);
    }
    return value;
  }

  private static String newCodeKey() {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    return Base64.getEncoder().encodeToString(key);
  }
}
