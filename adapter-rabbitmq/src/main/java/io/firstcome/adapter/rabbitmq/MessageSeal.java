package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.CodeKeys.Purpose;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
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
    var text = new String(message, StandardCharsets.ISO_8859_1);
    int member = text.lastIndexOf(MEMBER);
    if (member < 0 || !text.endsWith(END)) {
      throw new UndecodableMessageException("not authenticated");
    }
    var codes = codes(text.substring(member));
    codes.keySet().retainAll(keys.versions());
    if (codes.isEmpty()) {
      throw new UndecodableMessageException("authenticated with no key that is installed");
    }
    byte[] covered = Arrays.copyOf(message, member);
    if (codes.entrySet().stream()
        .noneMatch(given -> isEqual(given.getValue(), code(given.getKey(), covered)))) {
      throw new UndecodableMessageException("forged or altered");
    }
  }

  /** One for each version, so that a message with many codes is not checked many times. */
  private static Map<Integer, String> codes(String member) {
    var codes = new HashMap<Integer, String>();
    CODE.matcher(member)
        .results()
        .forEach(code -> codes.put(Integer.valueOf(code.group(1)), code.group(2)));
    return codes;
  }

  private String code(int version, byte[] covered) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(keys.authenticationCode(version, Purpose.CLAIM_MESSAGE, covered));
  }

  /** Takes the same time wherever they differ. */
  private static boolean isEqual(String code, String other) {
    return MessageDigest.isEqual(
        code.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }
}
