package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.process.Folders;
import io.firstcome.devservices.process.Ports;
import io.firstcome.devservices.server.AmqpServer;
import io.firstcome.devservices.server.PostgresServer;
import io.firstcome.devservices.server.RedisServer;
import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.devservices.service.ServiceSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * One instance of the packaged service with {@code firstcome.stock=postgres} and its own
 * PostgreSQL. No server listens at its addresses of Redis and the broker.
 */
public final class PostgresAlone implements AutoCloseable {

  private static final Duration READY_LIMIT = Duration.ofSeconds(90);

  private final DevServices servers;
  private final RequestRecord record;
  private final ServiceSettings settings;
  private final ServiceProcess service;

  public PostgresAlone(String name) {
    this(name, Map.of());
  }

  /**
   * @param environment settings of the service beside the usual ones
   */
  public PostgresAlone(String name, Map<String, String> environment) {
    Path folder = Path.of(World.property("firstcome.work")).resolve(name);
    DevServices.endLeftOvers(folder);
    ServiceProcess.endLeftOver(folder.resolve("service"));
    Folders.delete(folder);
    servers = DevServices.in(folder);
    record = new RequestRecord(folder.resolve("requests.tsv"));
    settings =
        ServiceSettings.of(
                Path.of(World.property("firstcome.jar")),
                folder.resolve("service"),
                servers.postgres(),
                RedisServer.at("127.0.0.1", Ports.free()),
                AmqpServer.at(AmqpServer.Kind.RABBITMQ, "127.0.0.1", Ports.free(), "no", "body"))
            .withJvmOptions("-XX:TieredStopAtLevel=1", "-Xmx256m")
            .withEnvironment(withPostgres(environment));
    service = ServiceProcess.start(settings);
    awaitReady();
  }

  private static Map<String, String> withPostgres(Map<String, String> environment) {
    var all = new HashMap<>(environment);
    all.put("FIRSTCOME_STOCK", "postgres");
    return all;
  }

  public void awaitReady() {
    service.awaitReady(READY_LIMIT);
  }

  public PostgresServer postgres() {
    return servers.postgres();
  }

  public ServiceProcess service() {
    return service;
  }

  /** Starts another instance with these additional settings, which the caller must close. */
  public ServiceProcess start(String name, Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(settings.environment());
    all.putAll(environment);
    return ServiceProcess.start(
        settings.withFolder(settings.folder().resolveSibling(name)).withEnvironment(all));
  }

  public RequestRecord record() {
    return record;
  }

  public Answer send(Call call) {
    return Deployment.send(service.port(), call);
  }

  /** Defines the coupon and returns its id. */
  public String define(CouponRequests coupon) {
    Answer answer = send(Call.define(coupon.json()));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return coupon.id();
  }

  public Crowd crowd(String couponId, List<String> users) {
    return Crowd.start(record, couponId, users, List.of(service.port()));
  }

  public Claimant claimant() {
    return new Claimant(service.port(), record);
  }

  /**
   * Checks all that applies without a broker: I1 to I5, I7 and I9, that no claim is late or
   * rejected, and that the service's own proof agrees. No wait is needed, as each row is committed
   * before the answer.
   */
  public StoredCoupon assertExactInOrder(String couponId) {
    StoredCoupon stored = StoredCoupon.read(postgres(), couponId);
    List<RecordedClaim> claims = record.claimsOf(couponId);
    assertThat(claims).as("requests on record").isNotEmpty();
    assertThat(InvariantCheck.of(claims, stored, Loss.NONE)).isEmpty();
    assertThat(OrderCheck.of(claims, stored)).isEmpty();
    assertThat(stored.lateUsers()).isEmpty();
    assertThat(stored.rejectedUsers()).isEmpty();
    JsonNode proof = send(Call.proof(couponId)).json();
    assertThat(proof.path("exact").asBoolean()).as(proof.toString()).isTrue();
    assertThat(proof.path("slotsUsed").asLong()).isEqualTo(stored.liveRows());
    assertThat(proof.path("free").asLong()).isEqualTo(stored.total() - stored.liveRows());
    return stored;
  }

  /** Checks the log, then ends everything. */
  @Override
  public void close() {
    try {
      List<Path> logs = List.of(service.logFile()).stream().filter(Files::exists).toList();
      assertThat(LogCanary.tellingLines(logs, StoredCoupon.allCodes(postgres()))).isEmpty();
    } finally {
      record.close();
      service.kill();
      postgres().kill();
      servers.close();
    }
  }
}
