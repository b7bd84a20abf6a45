package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.AmqpServer;
import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.Folders;
import io.firstcome.devservices.Ports;
import io.firstcome.devservices.PostgresServer;
import io.firstcome.devservices.RedisServer;
import io.firstcome.devservices.ServiceProcess;
import io.firstcome.devservices.ServiceSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * One instance of the packaged service with {@code firstcome.stock=postgres} and a PostgreSQL of
 * its own. At the addresses of Redis and the broker that it is given nobody listens.
 */
public final class PostgresAlone implements AutoCloseable {

  private static final Duration READY_LIMIT = Duration.ofSeconds(90);

  private final DevServices servers;
  private final RequestRecord record;
  private final ServiceSettings settings;
  private final ServiceProcess service;

  public PostgresAlone(String name) {
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
            .withEnvironment(Map.of("FIRSTCOME_STOCK", "postgres"));
    service = ServiceProcess.start(settings);
    awaitReady();
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

  /** A start beside it with other settings, for whose end the caller sees to. */
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

  /** Defines the coupon and gives its id. */
  public String define(CouponFixtures coupon) {
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
   * Checks all that applies without a broker: I1 to I5, I7 and I9, that nothing is under way, and
   * that the service's own proof agrees. Nobody has to wait for rest, as rows are the answer.
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

  /** Ends everything, after a look at the log. */
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
