package io.firstcome.bootstrap.wiring;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.firstcome.adapter.persistence.PersistenceAdapterConfiguration;
import io.firstcome.application.ApplicationLimits;
import io.firstcome.application.InstanceSettings;
import io.firstcome.application.PersistencePorts;
import io.firstcome.application.reconciliation.Pace;
import io.firstcome.application.server.CompareClocks;
import io.firstcome.application.server.InspectServers;
import io.firstcome.application.server.InstalledCodeKeys;
import io.firstcome.application.stock.StockBackends;
import io.firstcome.bootstrap.refusal.InvalidSettingException;
import io.firstcome.domain.clock.ProcessClock;
import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.port.DatabaseClock;
import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.port.ServerTime;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** The beans from which the use cases of every deployment are created. */
@Configuration(proxyBeanMethods = false)
@Import({PersistenceAdapterConfiguration.class, PersistencePorts.class, UseCaseBeans.class})
class UseCaseWiring {

  /** Nine times as long as it works, so that a comparison uses a tenth of a thread. */
  private static final int RESTS_WHILE_COMPARING = 9;

  /** The database's clock: nothing is decided by the wall clock of an instance. */
  @Bean
  @Primary
  InstantSource clock(DatabaseClock databaseClock) {
    return databaseClock;
  }

  @Bean
  CompareClocks compareClocks(
      DatabaseClock databaseClock, ObjectProvider<ServerTime> servers, IssuanceObserver observer) {
    return new CompareClocks(
        databaseClock, InstantSource.system(), servers.stream().toList(), observer);
  }

  @Bean
  CodeKeys codeKeys(FirstcomeProperties properties) {
    Map<Integer, byte[]> keys = new HashMap<>();
    properties.codeKeys().forEach((version, key) -> keys.put(version, decoded(version, key)));
    try {
      return new CodeKeys(keys, activeVersion(properties));
    } catch (IllegalArgumentException e) {
      throw new InvalidSettingException("firstcome.code-keys: " + e.getMessage());
    }
  }

  /** If several are installed, there is no default: other instances may lack the newest one. */
  static int activeVersion(FirstcomeProperties properties) {
    var installed = new TreeSet<>(properties.codeKeys().keySet());
    var stated = properties.activeCodeKey();
    if (installed.isEmpty()) {
      throw new InvalidSettingException(
          "firstcome.code-keys.1 must be set: 32 random bytes in base 64");
    }
    if (stated == null && installed.size() > 1) {
      throw new InvalidSettingException(
          "firstcome.active-code-key must name which of the installed firstcome.code-keys %s new"
                  .formatted(installed)
              + " coupons use");
    }
    if (stated != null && !installed.contains(stated)) {
      throw new InvalidSettingException(
          "firstcome.active-code-key is %d, but only firstcome.code-keys %s are installed"
              .formatted(stated, installed));
    }
    return stated == null ? installed.first() : stated;
  }

  @Bean
  ServerSettings installedCodeKeys(CouponRepository coupons, CodeKeys codeKeys) {
    return new InstalledCodeKeys(coupons, codeKeys);
  }

  private static byte[] decoded(int version, String key) {
    try {
      return Base64.getDecoder().decode(key);
    } catch (IllegalArgumentException e) {
      // Without the cause: its message repeats a part of the key.
      throw new InvalidSettingException("firstcome.code-keys." + version + " is not base 64");
    }
  }

  @Bean
  InspectServers inspectServers(List<ServerSettings> servers, IssuanceObserver observer) {
    return new InspectServers(servers, observer);
  }

  /** Starts virtual threads in the order of submission, as group commit requires. */
  @Bean(destroyMethod = "shutdown")
  ExecutorService groupCommitExecutor() {
    return Executors.newThreadPerTaskExecutor(
        Thread.ofVirtual().name("group-commit-", 0).factory());
  }

  /** Comparisons block, each on a thread of its own. */
  @Bean(destroyMethod = "shutdownNow")
  ExecutorService proofExecutor() {
    return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("proof-", 0).factory());
  }

  /** Evicts the entries that are used least. */
  private static <K, V> ConcurrentMap<K, V> boundedMap(int maxEntries) {
    return Caffeine.newBuilder().maximumSize(maxEntries).<K, V>build().asMap();
  }

  @Bean
  InstanceSettings instanceSettings(
      CodeKeys codeKeys,
      StockBackends backends,
      FirstcomeProperties properties,
      InstantSource clock,
      @Qualifier("groupCommitExecutor") ExecutorService groupCommitExecutor,
      @Qualifier("proofExecutor") ExecutorService proofExecutor,
      ApplicationLimits limits,
      IssuanceObserver observer) {
    return new InstanceSettings(
        codeKeys,
        backends,
        properties.partitions(),
        properties.ownersUse(),
        clock,
        ProcessClock.of(InstantSource.system()),
        groupCommitExecutor,
        proofExecutor,
        Thread::startVirtualThread,
        Thread::startVirtualThread,
        UseCaseWiring::boundedMap,
        Pace.resting(RESTS_WHILE_COMPARING),
        limits,
        observer);
  }
}
