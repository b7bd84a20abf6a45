package io.firstcome.adapter.redis;

import io.firstcome.domain.observation.Weakness;
import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.port.StockUnavailableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the settings of the Redis that is connected now, after a failover those of another node,
 * and the replicas that must have a claim before it is answered.
 */
final class RedisServerSettings implements ServerSettings {

  private static final String SERVER = "Redis";

  private static final String OUTCOME_UNKNOWN =
      "claims take slots and are answered outcome-unknown, because a failover could lose them";

  private final RedisConnection link;
  private final PromotableReplicas promotable;
  private final RedisLimits limits;

  RedisServerSettings(RedisConnection link, PromotableReplicas promotable, RedisLimits limits) {
    this.link = link;
    this.promotable = promotable;
    this.limits = limits;
  }

  /** A setting, the value that the promises require, and the consequence of any other value. */
  private enum Setting {
    APPENDONLY("appendonly", "yes", "a restart loses every accepted claim that has no row yet"),
    APPENDFSYNC(
        "appendfsync",
        "always",
        "a power failure loses the claims that were accepted since the last write to the disk"),
    FSYNC_ON_REWRITE(
        "no-appendfsync-on-rewrite",
        "no",
        "a power failure while the file is rewritten loses the claims that were accepted"
            + " meanwhile"),
    EVICTION(
        "maxmemory-policy",
        "noeviction",
        "when memory is full, ledgers and logs are evicted, and accepted claims with them"),
    BACKLOG(
        "repl-backlog-ttl",
        "0",
        "some time after its last replica disconnected, its replication id changes, which causes an"
            + " unnecessary recovery");

    private final String key;
    private final String wanted;
    private final String weakens;

    Setting(String key, String wanted, String weakens) {
      this.key = key;
      this.wanted = wanted;
      this.weakens = weakens;
    }

    Optional<Weakness> in(Map<String, String> found) {
      var value = found.get(key);
      if (value == null) {
        return Optional.of(Weakness.notReadable(SERVER, key, wanted, weakens));
      }
      return value.equals(wanted)
          ? Optional.empty()
          : Optional.of(new Weakness(SERVER, key, value, wanted, weakens));
    }
  }

  @Override
  public String server() {
    return SERVER;
  }

  @Override
  public List<Weakness> weaknesses() {
    var found = read();
    return Stream.concat(
            Arrays.stream(Setting.values()).flatMap(setting -> setting.in(found).stream()),
            replicaWeaknesses().stream())
        .toList();
  }

  /** Reasons why claims that wait for replicas are answered outcome-unknown. */
  private List<Weakness> replicaWeaknesses() {
    if (limits.replicas() == 0) {
      return List.of();
    }
    Promotable listed;
    try {
      listed = promotable.ask();
    } catch (StockUnavailableException e) {
      return List.of(
          new Weakness(
              SERVER, "list of replicas", "missing", "sent by a Sentinel", OUTCOME_UNKNOWN));
    }
    var now = Replication.parse(link.run(commands -> commands.info("replication")));
    var required = listed.among(now.attached());
    var weaknesses = new ArrayList<Weakness>();
    required.stream()
        .sorted()
        .forEach(replica -> weaknessOf(now, replica).ifPresent(weaknesses::add));
    if (required.size() < limits.replicas()) {
      weaknesses.add(
          new Weakness(
              SERVER,
              "number of replicas that could be promoted",
              Integer.toString(required.size()),
              "at least " + limits.replicas(),
              OUTCOME_UNKNOWN));
    }
    return weaknesses;
  }

  private Optional<Weakness> weaknessOf(Replication now, String name) {
    var replica = now.replicas().get(name);
    @Nullable String found = null;
    if (replica == null) {
      found = "not attached";
    } else if (!replica.online()) {
      found = "still being synchronized";
    } else if (replica.silent().compareTo(limits.replicaSilence()) > 0) {
      found = "silent";
    }
    return Optional.ofNullable(found)
        .map(state ->
            new Weakness(
                SERVER,
                "replica " + name,
                state,
                "in sync, of priority 0, or removed from Sentinel's list",
                OUTCOME_UNKNOWN));
  }

  /** The values by key; empty if the server does not know or does not allow CONFIG GET. */
  private Map<String, String> read() {
    var keys = Arrays.stream(Setting.values()).map(setting -> setting.key).toArray(String[]::new);
    try {
      return link.run(commands -> commands.configGet(keys));
    } catch (StockUnavailableException e) {
      if (e.getCause() == null || !RedisErrors.isForbidden(e.getCause())) {
        throw e;
      }
      return Map.of();
    }
  }
}
