package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.usercoupon.CodeKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Authenticates claim messages, so that who can write to the broker cannot make rows. A message is
 * a JSON object whose last member has a code in base 64url for each installed key, by its version.
 * A code covers all bytes before that member:
 *
 * <pre>{@code
 * {"version": 1, …,"mac":{"1":"kZ2…","2":"x0P…"}}
 * }</pre>
 *
 * One code that is right suffices, so that instances can read each other's messages while a key is
 * being installed or removed.
 */
final class MessageSeal {

  private static final Pattern CODE =
      Pattern.compile("\"([1-9][0-9]{0,8})\":\"([A-Za-z0-9_-]{43})\"");

  private static final String MEMBER = ",\"mac\":{";
  private static final String END = "}}";

  /** Enough for eight keys. */
  private static final int LONGEST_END = 512;

  private final CodeKeys keys;

  MessageSeal(CodeKeys keys) {
    this.keys = keys;
  }

  /**
   * Adds the codes.
   *
   * @param object a JSON object with one member or more, without white space at its end
   */
  byte[] seal(byte[] object) {
    byte[] covered = Arrays.copyOf(object, object.length - 1);
    String codes =
        keys.versions().stream()
            .map(version -> "\"%d\":\"%s\"".formatted(version, code(version, covered)))
            .collect(Collectors.joining(",", MEMBER, END));
    byte[] end = codes.getBytes(StandardCharsets.US_ASCII);
    byte[] sealed = Arrays.copyOf(covered, covered.length + end.length);
    System.arraycopy(end, 0, sealed, covered.length, end.length);
    return sealed;
  }

  /**
   * Checks a message.
   *
   * @throws UndecodableMessageException if no installed key has authenticated these bytes
   */
  void requireSealed(byte[] message) throws UndecodableMessageException {
    int from = Math.max(0, message.length - LONGEST_END);
    var end = new String(message, from, message.length - from, StandardCharsets.ISO_8859_1);
    int member = end.lastIndexOf(MEMBER);
    if (member < 0 || !end.endsWith(END)) {
      throw new UndecodableMessageException("not authenticated");
    }
    byte[] covered = Arrays.copyOf(message, from + member);
    boolean isKeyInstalled = false;
    for (var code : CODE.matcher(end).region(member, end.length()).results().toList()) {
      int version = Integer.parseInt(code.group(1));
      if (keys.isInstalled(version)) {
        isKeyInstalled = true;
        if (isEqual(code.group(2), code(version, covered))) {
          return;
        }
      }
    }
    throw new UndecodableMessageException(
        isKeyInstalled ? "forged or altered" : "authenticated with no key that is installed");
  }

  private String code(int version, byte[] covered) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(keys.authenticationCode(version, covered));
  }

  /** Takes the same time wherever they differ. */
  private static boolean isEqual(String code, String other) {
    return MessageDigest.isEqual(
        code.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }
}
