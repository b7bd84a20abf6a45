package io.firstcome.adapter.redis;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The replicas that a failover could promote to master.
 *
 * <p>Sentinel never selects a replica of priority 0, nor one whose link to the master has been down
 * for longer than ten times {@code down-after-milliseconds} plus the time for which the master has
 * been down. Once the master is down, both times grow equally, so a replica that exceeds the bound
 * now exceeds it until it is synchronized again. Sentinel does not select a replica that is down
 * either, but after a short downtime a replica is a candidate again before it is synchronized: so
 * the same bound applies to the downtime.
 *
 * @param listed replicas that Sentinel could select, attached to the master or not
 * @param excluded replicas that Sentinel knows and would not select
 * @see <a
 *     href="https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel/#replica-selection-and-priority">Replica
 *     selection</a>, and {@code sentinelSelectSlave} in Redis' {@code sentinel.c}
 */
record Promotable(Set<String> listed, Set<String> excluded) {

  /** Without Sentinel any attached replica may be promoted. */
  static final Promotable ALL_ATTACHED = new Promotable(Set.of(), Set.of());

  /** {@code down-after-milliseconds * 10} in {@code sentinelSelectSlave}. */
  private static final int DOWN_AFTER_TIMES = 10;

  Promotable {
    listed = Set.copyOf(listed);
    excluded = Set.copyOf(excluded);
  }

  /**
   * Merges the replies of all Sentinels to {@code SENTINEL REPLICAS}. Any Sentinel may lead the
   * next failover, so a replica is listed if at least one Sentinel could select it.
   */
  static Promotable of(Collection<Map<String, String>> replies) {
    Set<String> listed = new HashSet<>();
    Set<String> known = new HashSet<>();
    for (var replica : replies) {
      var address = replica.get("ip") + ":" + replica.get("port");
      known.add(address);
      if (isSelectable(replica)) {
        listed.add(address);
      }
    }
    known.removeAll(listed);
    return new Promotable(listed, known);
  }

  private static boolean isSelectable(Map<String, String> replica) {
    var bound = millis(replica, "down-after-milliseconds").multipliedBy(DOWN_AFTER_TIMES);
    return !"0".equals(replica.get("slave-priority"))
        && millis(replica, "master-link-down-time").compareTo(bound) <= 0
        && millis(replica, "s-down-time").compareTo(bound) <= 0;
  }

  private static Duration millis(Map<String, String> replica, String field) {
    return Duration.ofMillis(Long.parseLong(replica.getOrDefault(field, "0")));
  }

  /**
   * The replicas that must have a claim before the claim is answered. They include an attached
   * replica that no Sentinel lists yet, because a Sentinel may list it at any moment.
   */
  Set<String> among(Set<String> attached) {
    Set<String> all = new HashSet<>(attached);
    all.removeAll(excluded);
    all.addAll(listed);
    return all;
  }
}
