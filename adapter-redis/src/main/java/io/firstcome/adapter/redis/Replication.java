package io.firstcome.adapter.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The replicas of a master, from its reply to {@code INFO replication}.
 *
 * @param offset of the master: how many bytes it has written to the replication stream
 * @param replicas attached to the master, by {@code host:port}. A client without a port that only
 *     reads the stream, such as {@code redis-cli --rdb}, cannot be promoted and is left out
 * @see <a href="https://redis.io/docs/latest/commands/info/">INFO</a>
 */
record Replication(long offset, Map<String, Replica> replicas) {

  private static final String NO_PORT = "0";
  private static final Pattern OFFSET =
      Pattern.compile("^master_repl_offset:(\\d+)", Pattern.MULTILINE);
  private static final Pattern REPLICA =
      Pattern.compile("^slave\\d+:(\\S+=\\S+)", Pattern.MULTILINE);

  Replication {
    replicas = Map.copyOf(replicas);
  }

  /**
   * One replica.
   *
   * @param online whether its first synchronization is complete
   * @param acknowledged the offset up to which it has acknowledged everything
   * @param silent time since its last acknowledgement; it sends one every second
   */
  record Replica(boolean online, long acknowledged, Duration silent) {

    boolean has(long offset) {
      return online && acknowledged >= offset;
    }
  }

  static Replication parse(String info) {
    var offset = OFFSET.matcher(info);
    Map<String, Replica> replicas = new HashMap<>();
    REPLICA
        .matcher(info)
        .results()
        .forEach(line -> {
          var fields = fields(line.group(1));
          var port = fields.getOrDefault("port", NO_PORT);
          if (!port.equals(NO_PORT)) {
            replicas.put(fields.getOrDefault("ip", "") + ":" + port, replica(fields));
          }
        });
    return new Replication(offset.find() ? Long.parseLong(offset.group(1)) : 0, replicas);
  }

  private static Replica replica(Map<String, String> fields) {
    return new Replica(
        "online".equals(fields.get("state")),
        Long.parseLong(fields.getOrDefault("offset", "0")),
        Duration.ofSeconds(Long.parseLong(fields.getOrDefault("lag", "0"))));
  }

  private static Map<String, String> fields(String line) {
    Map<String, String> fields = new HashMap<>();
    Arrays.stream(line.split(",", -1))
        .forEach(field -> {
          int equals = field.indexOf('=');
          if (equals > 0) {
            fields.put(field.substring(0, equals), field.substring(equals + 1));
          }
        });
    return fields;
  }

  Set<String> attached() {
    return replicas.keySet();
  }

  boolean isOnline(String replica) {
    var found = replicas.get(replica);
    return found != null && found.online();
  }

  boolean has(String replica, long upTo) {
    var found = replicas.get(replica);
    return found != null && found.has(upTo);
  }

  /** How many replicas have everything up to the offset, promotable or not. */
  int countOf(long upTo) {
    return (int) replicas.values().stream().filter(replica -> replica.has(upTo)).count();
  }
}
