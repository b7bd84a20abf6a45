package io.firstcome.benchmark.bench.stack;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.devservices.service.DevIssuer;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.devservices.service.ServiceSettings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The packaged service with the no-op added, on servers of its own. */
public final class ServiceStack implements AutoCloseable {

  /** Enough for a million claims in flight; the rest of the memory is for the servers. */
  static final String LEAST_HEAP = "-Xms1g";

  /** As in production. */
  private static final String WARM_UP = "5s";

  static final String MOST_HEAP = "-Xmx1g";

  static final String ADDED = "io.firstcome.benchmark.bench.service.";

  /** As in application.yaml. */
  private static final int PARTITIONS = 4;

  private static final Duration READY_LIMIT = Duration.ofMinutes(2);
  private static final Duration ROOM_LIMIT = Duration.ofSeconds(30);
  private static final Duration STREAMS_LIMIT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(20);

  private final BenchFolder home;
  private final String name;
  private final DevServices servers;
  private final ServiceProcess service;
  private final SpanSink spans = SpanSink.start();
  private final AtomicInteger coupons = new AtomicInteger();

  /** What the service does with accepted claims. */
  public enum Pipeline {
    /** They become rows in PostgreSQL, as in production. */
    WHOLE("whole", "NoOpConfiguration"),
    /** As {@link #WHOLE}, and user coupons of archived coupons are removed. */
    RETAINING("retaining", "NoOpConfiguration"),
    /** As {@link #WHOLE}, with the heap that 5,000 streams of events need. */
    CROWDED("crowded", "NoOpConfiguration"),
    /** As {@link #WHOLE}, with traces that can be switched off. */
    TRACED("traced", "NoOpConfiguration", "SwitchedTracesConfiguration"),
    /** They stay in the hand-off log. */
    STOPPED("stopped", "NoOpConfiguration", "StoppedRelayConfiguration");

    private final String folder;
    private final String sources;

    private String mostHeap() {
      return this == CROWDED ? "-Xmx6g" : MOST_HEAP;
    }

    /** Whether each accepted claim becomes a row. */
    public boolean records() {
      return this != STOPPED;
    }

    Pipeline(String folder, String... added) {
      this.folder = folder;
      this.sources = ADDED + String.join("," + ADDED, added);
    }
  }

  private ServiceStack(BenchFolder home, Pipeline pipeline, DevServices servers) {
    this.home = home;
    this.name = pipeline.folder;
    this.servers = servers;
    this.service =
        ServiceProcess.start(
            home.program(null, home.service(name), servers)
                .withEnvironment(environment(pipeline))
                .withJvmOptions(LEAST_HEAP, pipeline.mostHeap()));
  }

  private Map<String, String> environment(Pipeline pipeline) {
    var environment = new HashMap<String, String>();
    environment.put("SPRING_MAIN_SOURCES", pipeline.sources);
    environment.put("FIRSTCOME_WARMUP", WARM_UP);
    environment.putAll(ServiceSettings.CONSOLE_USERS);
    if (pipeline == Pipeline.RETAINING) {
      environment.put("FIRSTCOME_RETENTION_PERIOD", "P1D");
      environment.put("FIRSTCOME_LIMITS_RETENTION_INTERVAL", "1s");
      environment.put(
          "FIRSTCOME_RETENTION_DIRECTORY", home.retention(name).toAbsolutePath().toString());
    }
    if (pipeline == Pipeline.TRACED) {
      // The probability is that of application.yaml.
      environment.put("MANAGEMENT_OPENTELEMETRY_TRACING_EXPORT_OTLP_ENDPOINT", spans.url());
    }
    return environment;
  }

  /** Starts the service on empty servers and returns when it accepts claims. */
  public static ServiceStack start(BenchFolder home, Pipeline pipeline) {
    DevServices servers = home.servers(pipeline.folder);
    ServiceStack stack;
    try {
      startTogether(servers);
      stack = new ServiceStack(home, pipeline, servers);
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
    try {
      stack.service.awaitReady(READY_LIMIT);
      return stack;
    } catch (RuntimeException e) {
      stack.close();
      throw e;
    }
  }

  /** Starts the servers concurrently; a failed start is reported when the server is used. */
  private static void startTogether(DevServices servers) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Supplier<?>> starts = List.of(servers::postgres, servers::redis, servers::amqp);
      starts.forEach(start -> {
        var _ = threads.submit(start::get);
      });
    }
  }

  /** Starts the bare server on the same servers. */
  public BareService startBare() {
    return BareService.start(home, name, servers);
  }

  /** Defines a new coupon and returns its id. */
  public String define(int quantity) {
    String id = "BENCH-" + coupons.incrementAndGet();
    HttpCalls.define(service.url(), id, quantity, null);
    return id;
  }

  /**
   * Defines a new coupon with a waiting room, and returns its id once users can join it.
   *
   * @param room its definition in JSON
   */
  public String defineWithRoom(int quantity, String room) {
    String id = "BENCH-" + coupons.incrementAndGet();
    HttpCalls.define(service.url(), id, quantity, room);
    await(ROOM_LIMIT, () -> room(id).has("serving"), "the waiting room is not open");
    return id;
  }

  /** The waiting room of a coupon as everybody sees it. */
  public JsonNode room(String couponId) {
    return JsonMapper.shared().readTree(HttpCalls.room(service.url(), couponId));
  }

  /** Lets a waiting room serve that was paused. */
  public void resumeRoom(String couponId) {
    HttpCalls.resumeRoom(service.url(), couponId);
  }

  /** How many places a waiting room has served, as Redis has it. */
  public int served(String couponId) {
    return IntStream.range(0, PARTITIONS)
        .mapToObj(i -> redis().command("HGET", roomKey(i, couponId), "served"))
        .filter(value -> value != null && !value.isEmpty())
        .mapToInt(Integer::parseInt)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no waiting room of " + couponId));
  }

  private static String roomKey(int partition, String couponId) {
    return "firstcome:{%d}:coupon:%s:room".formatted(partition, couponId);
  }

  /**
   * Waits until the service has this number of open streams of events.
   *
   * @throws IllegalStateException on timeout
   */
  public void awaitStreams(int number) {
    await(
        STREAMS_LIMIT,
        () -> HttpCalls.streams(service.managementUrl()) == number,
        "not %d streams of events".formatted(number));
  }

  /** Starts another instance on the same servers. */
  public ServiceProcess startAnother() {
    var another =
        ServiceProcess.start(
            home.program(null, home.service(name + "-other"), servers)
                .withEnvironment(Map.of("FIRSTCOME_WARMUP", WARM_UP))
                .withJvmOptions(LEAST_HEAP, MOST_HEAP));
    try {
      another.awaitReady(READY_LIMIT);
      return another;
    } catch (RuntimeException e) {
      another.close();
      throw e;
    }
  }

  /** Tokens of different users, valid for an hour. */
  public List<String> tokens(int users) {
    var issuer = DevIssuer.in(home.service(name));
    return IntStream.range(0, users)
        .mapToObj(i -> issuer.token("user-" + i, null, List.of(), Duration.ofHours(1)))
        .toList();
  }

  /** Adds an archived coupon with this number of user coupons, which are due for removal. */
  public PastCoupon addPastCoupon(int userCoupons) {
    return PastCoupon.create(this, userCoupons);
  }

  /** Changes the coupon as an operator: {@code close} or {@code archive}. */
  void operate(String couponId, String change) {
    HttpCalls.operate(service.url(), couponId, change);
  }

  public static String claimPath(String couponId) {
    return "/api/v1/coupons/%s/claims".formatted(couponId);
  }

  public static String noOpPath(String couponId) {
    return "/api/v1/coupons/%s/no-op".formatted(couponId);
  }

  public static String couponPath(String couponId) {
    return "/api/v1/coupons/" + couponId;
  }

  public static String roomPath(String couponId) {
    return "/api/v1/coupons/%s/waiting-room".formatted(couponId);
  }

  public int port() {
    return service.port();
  }

  public String url(String path) {
    return service.url() + path;
  }

  public PostgresServer postgres() {
    return servers.postgres();
  }

  public RedisServer redis() {
    return servers.redis();
  }

  public AmqpServer amqp() {
    return servers.amqp();
  }

  /** The processor time of the service and its servers until now. */
  public ProcessorTimes processorTimes() {
    return ProcessorTimes.of(service.pid(), servers);
  }

  /** Transactions in PostgreSQL and scripts in Redis until now, of the service and its loops. */
  public long serverCalls() {
    try (Connection connection = postgres().connect();
        PreparedStatement committed =
            connection.prepareStatement(
                "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
        ResultSet found = committed.executeQuery()) {
      found.next();
      return found.getLong(1)
          + CommandStats.calls(redis().command("INFO", "commandstats"), "evalsha");
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the statistics of the database", e);
    }
  }

  /** Counts the calls to Redis that name the waiting room, from now on. */
  public MonitoredCalls roomCalls(String couponId) {
    return IntStream.range(0, PARTITIONS)
        .mapToObj(i -> roomKey(i, couponId))
        .filter(key -> "1".equals(redis().command("EXISTS", key)))
        .map(key -> MonitoredCalls.of(redis(), key))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no waiting room of " + couponId));
  }

  /** The memory of Redis in bytes. */
  public long redisBytes() {
    return MemoryInfo.usedBytes(redis().command("INFO", "memory"));
  }

  /** Entries of the hand-off log without rows, over all partitions. */
  public long handoffDepth() {
    return IntStream.range(0, PARTITIONS)
        .mapToLong(i -> Long.parseLong(redis().command("XLEN", handoff(i))))
        .sum();
  }

  /** Entries appended to the hand-off log since its creation. */
  public long handoffAppended() {
    return IntStream.range(0, PARTITIONS)
        .mapToObj(ServiceStack::handoff)
        .filter(key -> !"0".equals(redis().command("EXISTS", key)))
        .mapToLong(key -> StreamInfo.entriesAdded(redis().command("XINFO", "STREAM", key)))
        .sum();
  }

  private static String handoff(int partition) {
    return "firstcome:{%d}:handoff".formatted(partition);
  }

  /** Switches the traces of all claims on or off. */
  public void trace(String couponId, boolean on) {
    HttpCalls.trace(service.url(), couponId, on);
  }

  /** The number of spans that the collector has accepted. */
  public long spansExported() {
    return HttpCalls.counter(service.managementUrl(), "firstcome_trace_spans_exported_total");
  }

  /**
   * Waits until the collector has accepted so many spans.
   *
   * @throws IllegalStateException on timeout
   */
  public void awaitSpansExported(long spans, Duration limit) {
    await(limit, () -> spansExported() >= spans, "spans are not exported");
  }

  /** The number of spans that the service could not export. */
  public long spansMissing() {
    return HttpCalls.counter(service.managementUrl(), "firstcome_trace_spans_missing_total");
  }

  /** Number of claims with this outcome, by its name in the metrics. */
  public long answered(String outcome) {
    return HttpCalls.claims(service.managementUrl(), outcome);
  }

  /**
   * Waits until every accepted claim has its row.
   *
   * @throws IllegalStateException on timeout
   */
  public void awaitRecorded(Duration limit) {
    await(limit, () -> handoffDepth() == 0, "accepted claims have no rows");
  }

  /** Waits until the condition holds, or fails with the message. */
  void await(Duration limit, BooleanSupplier condition, String message) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(message + " after " + limit);
      }
      pause();
    }
  }

  /**
   * Waits until all events are published.
   *
   * @throws IllegalStateException on timeout
   */
  public void awaitEventsPublished(Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    try (Connection connection = postgres().connect();
        PreparedStatement any =
            connection.prepareStatement("SELECT EXISTS (SELECT FROM event_outbox)")) {
      while (isTrue(any)) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException("events were not published after " + limit);
        }
        pause();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot read the event outbox", e);
    }
  }

  private static boolean isTrue(PreparedStatement question) throws SQLException {
    try (ResultSet answer = question.executeQuery()) {
      return answer.next() && answer.getBoolean(1);
    }
  }

  /**
   * Waits until the coupon has this number of rows, and returns when they were first seen.
   *
   * @return by {@link System#nanoTime()}
   * @throws IllegalStateException on timeout
   */
  public long awaitRows(String couponId, int rows, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    try (Connection connection = postgres().connect();
        PreparedStatement count =
            connection.prepareStatement(
                "SELECT count(*) FROM user_coupon_text WHERE coupon_id = ?")) {
      count.setString(1, couponId);
      while (true) {
        try (ResultSet counted = count.executeQuery()) {
          if (counted.next() && counted.getLong(1) >= rows) {
            return System.nanoTime();
          }
        }
        if (System.nanoTime() > end) {
          throw new IllegalStateException("fewer than %d rows after %s".formatted(rows, limit));
        }
        pause();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("cannot count the rows of " + couponId, e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(POLL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for rows", e);
    }
  }

  @Override
  public void close() {
    service.close();
    spans.close();
    servers.close();
    home.forget(name);
  }
}
