package io.firstcome.benchmark.bench.load;

import io.firstcome.devservices.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The plain script, one call per claim, driven by {@code redis-benchmark}. */
public final class RedisBenchmark {

  private static final int CONNECTIONS = 64;

  /** Random users are drawn from so large a range that repeats are rare. */
  private static final long USERS = 1_000_000_000L;

  /** Far above the claims of any run, so that every call wins. */
  private static final String TOTAL = "1000000000";

  /** The well-known script: a set of users, and a counter. */
  private static final String PLAIN_SCRIPT =
      """
      if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return 0 end
      if redis.call('INCR', KEYS[1]) > tonumber(ARGV[2]) then
        redis.call('DECR', KEYS[1])
        return -1
      end
      redis.call('SADD', KEYS[2], ARGV[1])
      return 1
      """;

  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Pattern RATE = Pattern.compile("(?m)^\"EVALSHA [^\"]*\",\"([0-9.]+)\"");

  private final Path program = Program.find("redis-benchmark", "redis-tools");
  private final RedisServer redis;
  private final String script;

  /**
   * Finds the program and loads the script.
   *
   * @throws MissingProgramException if it is not installed
   */
  public RedisBenchmark(RedisServer redis) {
    this.redis = redis;
    this.script = redis.command("SCRIPT", "LOAD", PLAIN_SCRIPT);
  }

  /** Sends this number of claims for a new coupon and returns the claims per second. */
  public double claimsPerSecond(int claims, String coupon) {
    String output =
        Program.run(
            List.of(
                program.toString(),
                "-h",
                redis.host(),
                "-p",
                Integer.toString(redis.port()),
                "-c",
                Integer.toString(CONNECTIONS),
                "-n",
                Integer.toString(claims),
                "-r",
                Long.toString(USERS),
                "--csv",
                "EVALSHA",
                script,
                "2",
                coupon + ":count",
                coupon + ":users",
                // 36 characters: __rand_int__ is replaced by a number of twelve digits.
                "00000000-0000-0000-0000-__rand_int__",
                TOTAL),
            LIMIT);
    redis.command("UNLINK", coupon + ":count", coupon + ":users");
    return parse(output);
  }

  static double parse(String output) {
    Matcher rate = RATE.matcher(output);
    if (!rate.find()) {
      throw new IllegalStateException("not the output of redis-benchmark:\n" + output);
    }
    return Double.parseDouble(rate.group(1));
  }
}
