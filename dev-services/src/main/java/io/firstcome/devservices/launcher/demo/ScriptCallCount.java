package io.firstcome.devservices.launcher.demo;

import io.firstcome.devservices.server.RedisServer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The number of script calls that Redis has counted. */
public final class ScriptCallCount {

  private static final Pattern EVALSHA =
      Pattern.compile("^cmdstat_evalsha:calls=(\\d+)", Pattern.MULTILINE);

  private ScriptCallCount() {}

  /** EVALSHA calls since Redis started. */
  public static long evalsha(RedisServer redis) {
    return evalsha(redis.command("INFO", "commandstats"));
  }

  public static long evalsha(String commandStats) {
    Matcher calls = EVALSHA.matcher(commandStats);
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }
}
