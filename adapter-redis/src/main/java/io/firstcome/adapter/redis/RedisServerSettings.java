package io.firstcome.adapter.redis;

import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.port.StockUnavailableException;
import io.firstcome.domain.port.Weakness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the Redis that is connected now, after a failover those of another node, and
 * whether its replicas are as answers need them.
 */
final class RedisServerSettings implements ServerSettings {

  private static final String SERVER = "Redis";

  private static final String NO_ANSWERS =
      "claims are taken and answered outcome-unknown, as a failover could lose them";

  private final RedisLink link;
  private final PromotableReplicas promotable;
  private final RedisLimits limits;

  RedisServerSettings(RedisLink link, PromotableReplicas promotable, RedisLimits limits) {
    this.link = link;
    this.promotable = promotable;
    this.limits = limits;
  }

  /** A setting, the value that the promises need, and what any other value does to them. */
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
        "when memory is full, ledgers and logs are thrown out, and accepted claims with them"),
    BACKLOG(
        "repl-backlog-ttl",
        "0",
        "some time after its last replica has gone, the server counts as another one and every"
            + " stock is closed for a recovery that nothing called for");

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
            ofReplicas().stream())
        .toList();
  }

  /** What keeps answers from being given, where they wait for replicas. */
  private List<Weakness> ofReplicas() {
    if (limits.replicas() == 0) {
      return List.of();
    }
    Promotable listed;
    try {
      listed = promotable.ask();
    } catch (StockUnavailableException e) {
      return List.of(
          new Weakness(SERVER, "list of replicas", "not given", "given by a Sentinel", NO_ANSWERS));
    }
    var now = Replication.parse(link.run(commands -> commands.info("replication")));
    var required = listed.among(now.attached());
    var weaknesses = new ArrayList<Weakness>();
    required.stream().sorted().forEach(replica -> in(now, replica).ifPresent(weaknesses::add));
    if (required.size() < limits.replicas()) {
      weaknesses.add(
          new Weakness(
              SERVER,
              "number of replicas that could be promoted",
              Integer.toString(required.size()),
              "at least " + limits.replicas(),
              NO_ANSWERS));
    }
    return weaknesses;
  }

  private Optional<Weakness> in(Replication now, String name) {
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
        .map(is ->
            new Weakness(
                SERVER,
                "replica " + name,
                is,
                "in step, of priority 0, or removed from Sentinel's list",
                NO_ANSWERS));
  }

  /** The values by key; none where the server keeps them to itself, by an ACL or altogether. */
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
