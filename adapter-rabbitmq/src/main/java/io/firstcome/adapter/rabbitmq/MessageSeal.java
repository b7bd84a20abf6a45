package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.usercoupon.CodeKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * Authenticates claim messages, so that who can write to the broker cannot make rows. A message is
 * a JSON object whose last members are the version of the key and the code in base 64url, which
 * covers all bytes before its own member:
 *
 * <pre>{@code
 * {"version": 1, …, "key":1,"mac":"kZ2…"}
 * }</pre>
 */
final class MessageSeal {

  private static final Pattern END =
      Pattern.compile(",\"key\":([1-9][0-9]{0,8})(,\"mac\":\"([A-Za-z0-9_-]{43})\"\\})$");

  private static final int LONGEST_END = 80;

  private final CodeKeys keys;

  MessageSeal(CodeKeys keys) {
    this.keys = keys;
  }

  /**
   * Adds the two members.
   *
   * @param object a JSON object with one member or more, without white space at its end
   */
  byte[] seal(byte[] object) {
    int version = keys.activeVersion();
    byte[] key = ascii(",\"key\":%d".formatted(version));
    byte[] covered = Arrays.copyOf(object, object.length - 1 + key.length);
    System.arraycopy(key, 0, covered, object.length - 1, key.length);
    byte[] code = keys.authenticationCode(version, covered);
    byte[] mac =
        ascii(
            ",\"mac\":\"%s\"}"
                .formatted(Base64.getUrlEncoder().withoutPadding().encodeToString(code)));
    byte[] sealed = Arrays.copyOf(covered, covered.length + mac.length);
    System.arraycopy(mac, 0, sealed, covered.length, mac.length);
    return sealed;
  }

  /**
   * Checks a message.
   *
   * @throws UndecodableMessageException if no installed key has authenticated these bytes
   */
  void requireSealed(byte[] message) throws UndecodableMessageException {
    int from = Math.max(0, message.length - LONGEST_END);
    var end =
        END.matcher(new String(message, from, message.length - from, StandardCharsets.ISO_8859_1));
    if (!end.find()) {
      throw new UndecodableMessageException("not authenticated");
    }
    int version = Integer.parseInt(end.group(1));
    if (!keys.isInstalled(version)) {
      throw new UndecodableMessageException("authenticated with a key that is not installed");
    }
    byte[] covered = Arrays.copyOf(message, from + end.start(2));
    byte[] code = Base64.getUrlDecoder().decode(end.group(3));
    if (!MessageDigest.isEqual(code, keys.authenticationCode(version, covered))) {
      throw new UndecodableMessageException("forged or altered");
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
