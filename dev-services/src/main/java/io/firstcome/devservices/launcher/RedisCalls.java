package io.firstcome.devservices.launcher;

import io.firstcome.devservices.RedisServer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How often Redis was asked to run a script. */
final class RedisCalls {

  private static final Pattern EVALSHA =
      Pattern.compile("^cmdstat_evalsha:calls=(\\d+)", Pattern.MULTILINE);

  private RedisCalls() {}

  /** EVALSHA calls since Redis started. */
  static long evalsha(RedisServer redis) {
    return evalsha(redis.command("INFO", "commandstats"));
  }

  static long evalsha(String commandStats) {
    Matcher calls = EVALSHA.matcher(commandStats);
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }
}
