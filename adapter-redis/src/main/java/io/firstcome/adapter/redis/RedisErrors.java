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

/**
 * Translates exceptions of Lettuce into exceptions of the ports; a translated one stays as it is.
 */
final class RedisErrors {

  /**
   * Error codes with which the server refuses a script before its first command, so that it has no
   * effect. For OOM, MISCONF and NOREPLICAS this holds only because every script has a shebang
   * line.
   *
   * @see <a
   *     href="https://redis.io/docs/latest/develop/programmability/lua-api/#script_flags">Script
   *     flags</a>
   */
  private static final Set<String> WITHOUT_EFFECT =
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
    if (isContentError(cause)) {
      return new StockContentException("Redis cannot process the coupon's data", cause);
    }
    var effect =
        cause instanceof RedisCommandExecutionException && WITHOUT_EFFECT.contains(code(cause))
            ? Effect.NONE
            : Effect.UNKNOWN;
    return new StockUnavailableException(effect, "the Redis command failed", cause);
  }

  /** The reply of a script that did nothing, as it was not called in time. */
  static StockUnavailableException late() {
    return new StockUnavailableException(
        Effect.NONE, "the call reached Redis after its deadline, or Redis' clock jumped", null);
  }

  /** Whether a command in a script failed, or a key had the wrong type for a command. */
  private static boolean isContentError(Throwable cause) {
    return cause instanceof RedisCommandExecutionException
        && !WITHOUT_EFFECT.contains(code(cause))
        && (code(cause).equals("WRONGTYPE")
            || String.valueOf(cause.getMessage()).contains("user_script"));
  }

  /**
   * Whether the server does not know the script, such as after a restart, a promotion or SCRIPT
   * FLUSH.
   */
  static boolean isUnknownScript(Throwable failure) {
    var cause = unwrap(failure);
    return cause instanceof RedisCommandExecutionException && code(cause).equals("NOSCRIPT");
  }

  /** Whether the hand-off log or its consumer group does not exist. */
  static boolean isUnknownGroup(Throwable failure) {
    var cause = unwrap(failure);
    return cause instanceof RedisCommandExecutionException && code(cause).equals("NOGROUP");
  }

  /** Whether the server does not know the command, or this user is not authorized to call it. */
  static boolean isForbidden(Throwable failure) {
    var cause = unwrap(failure);
    return cause instanceof RedisCommandExecutionException
        && (code(cause).equals("NOPERM") || code(cause).equals("ERR"));
  }

  /** Whether the failure is an error reply of the server. */
  static boolean isReply(Throwable failure) {
    return unwrap(failure) instanceof RedisCommandExecutionException;
  }

  /** Whether the reply timed out. */
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
