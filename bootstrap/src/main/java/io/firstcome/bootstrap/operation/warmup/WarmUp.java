package io.firstcome.bootstrap.operation.warmup;

import io.firstcome.application.recording.RehearseRecording;
import io.firstcome.bootstrap.connector.OwnAddress;
import io.firstcome.bootstrap.security.OwnGateway;
import io.firstcome.bootstrap.wiring.FirstcomeProperties;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.port.ServerUnavailableException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/**
 * Executes claims and recordings without an effect before the instance is ready. The JVM compiles
 * code only after it was executed often; until then a claim takes several times as long.
 *
 * <p>It ends after a limited time or number of claims. Each kind of work ends at its first failure,
 * for example because a server is not reachable.
 */
@Component
class WarmUp implements ApplicationRunner {

  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  /** Enough to keep a small machine busy. */
  private static final int CLIENTS = 16;

  private static final int REHEARSALS = 100;

  private final Duration limit;
  private final ObjectProvider<RehearseRecording> recording;
  private final OwnGateway gateway;
  private final OwnAddress address;

  /** Random, so that nobody has defined it. */
  private final CouponId unknown = new CouponId("WARM-UP-" + randomHex());

  WarmUp(
      FirstcomeProperties properties,
      ObjectProvider<RehearseRecording> recording,
      OwnGateway gateway,
      OwnAddress address) {
    this.limit = properties.warmUp();
    this.recording = recording;
    this.gateway = gateway;
    this.address = address;
  }

  private static String randomHex() {
    var random = new byte[16];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().withUpperCase().formatHex(random);
  }

  /** Work that can be repeated. */
  private interface Step {
    /** Does it once within that time. Returns whether it is worth repeating. */
    boolean run(Duration within) throws InterruptedException;
  }

  @Override
  public void run(ApplicationArguments arguments) throws InterruptedException {
    if (!limit.isPositive()) {
      return;
    }
    long start = System.nanoTime();
    try (var claims = new OwnClaims(gateway, address)) {
      warmUp(claims, start + limit.toNanos());
      LOG.info(
          "warmed up by {} claims of an unknown coupon in {} ms",
          claims.sent(),
          Duration.ofNanos(System.nanoTime() - start).toMillis());
    }
  }

  private void warmUp(OwnClaims claims, long end) throws InterruptedException {
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    for (int i = 0; i < CLIENTS; i++) {
      threads.execute(() -> repeat(within -> claims.send(unknown, within), end));
    }
    recording.ifAvailable(rehearsal -> threads.execute(() -> rehearse(rehearsal, end)));
    threads.shutdown();
    // Work that is not done by then ends by its own time limit, since a server may hang. An
    // interrupt would close its connection.
    threads.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static void repeat(Step step, long end) {
    try {
      boolean goesOn = true;
      while (goesOn && System.nanoTime() < end) {
        goesOn = step.run(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ServerUnavailableException e) {
      LOG.info("warming up ended early: {}", e.getMessage());
    } catch (RuntimeException e) {
      LOG.warn("warming up failed", e);
    }
  }

  private void rehearse(RehearseRecording rehearsal, long end) {
    var left = new AtomicInteger(REHEARSALS);
    repeat(
        _ -> {
          rehearsal.record(unknown);
          return left.decrementAndGet() > 0;
        },
        end);
  }
}
