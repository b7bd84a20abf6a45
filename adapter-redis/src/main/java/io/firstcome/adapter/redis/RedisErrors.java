package io.firstcome.adapter.redis;

import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.StockContentException;
import io.firstcome.domain.port.StockUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Turns what Lettuce throws into what the ports declare, once. */
final class RedisErrors {

  /**
   * Replies by which the server refuses a script before its first command, so that nothing
   * happened. OOM, MISCONF and NOREPLICAS are so only because every script has a shebang line.
   *
   * @see <a
   *     href="https://redis.io/docs/latest/develop/programmability/lua-api/#script_flags">Script
   *     flags</a>
   */
  private static final Set<String> REFUSED_WHOLE =
      Set.of(
          "NOSCRIPT",
          "LOADING",
          "BUSY",
          "OOM",
          "MISCONF",
          "READONLY",
          "NOREPLICAS",
          "MASTERDOWN",
          "CLUSTERDOWN",
          "TRYAGAIN",
          "MOVED",
          "ASK",
          "NOAUTH",
          "NOPERM",
          "WRONGPASS");

  private RedisErrors() {}

  static StockUnavailableException translate(Throwable failure) {
    var cause = unwrap(failure);
    if (cause instanceof StockUnavailableException translated) {
      return translated;
    }
    if (isOfContent(cause)) {
      return new StockContentException("Redis cannot work with what it holds of the coupon", cause);
    }
    var effect =
        cause instanceof RedisCommandExecutionException && REFUSED_WHOLE.contains(code(cause))
            ? Effect.NONE
            : Effect.UNKNOWN;
    return new StockUnavailableException(effect, "Redis did not do it", cause);
  }

  /** An error that a command in a script met, or a command with a key of another type. */
  private static boolean isOfContent(Throwable cause) {
    return cause instanceof RedisCommandExecutionException
        && !REFUSED_WHOLE.contains(code(cause))
        && (code(cause).equals("WRONGTYPE")
            || String.valueOf(cause.getMessage()).contains("user_script"));
  }

  /** Whether the server has lost its script cache, by a restart, a promotion or SCRIPT FLUSH. */
  static boolean isUnknownScript(Throwable failure) {
    var cause = unwrap(failure);
    return cause instanceof RedisCommandExecutionException && code(cause).equals("NOSCRIPT");
  }

  /** Whether the log, or its group of readers, is not there. */
  static boolean isUnknownGroup(Throwable failure) {
    var cause = unwrap(failure);
    return cause instanceof RedisCommandExecutionException && code(cause).equals("NOGROUP");
  }

  /** Whether the server does not know the command, or does not let this user call it. */
  static boolean isForbidden(Throwable failure) {
    var cause = unwrap(failure);
    return cause instanceof RedisCommandExecutionException
        && (code(cause).equals("NOPERM") || code(cause).equals("ERR"));
  }

  /** Whether the server has answered, with an error. */
  static boolean isReply(Throwable failure) {
    return unwrap(failure) instanceof RedisCommandExecutionException;
  }

  /** Whether no answer came in time. */
  static boolean isSilence(Throwable failure) {
    var cause = unwrap(failure);
    return cause instanceof TimeoutException || cause instanceof RedisCommandTimeoutException;
  }

  private static Throwable unwrap(Throwable failure) {
    var cause = failure.getCause();
    boolean wrapped =
        failure instanceof CompletionException || failure instanceof ExecutionException;
    return wrapped && cause != null ? cause : failure;
  }

  private static String code(Throwable failure) {
    var message = String.valueOf(failure.getMessage());
    int end = message.indexOf(' ');
    return end < 0 ? message : message.substring(0, end);
  }
}
