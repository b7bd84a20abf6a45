package io.firstcome.systemtests.kit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Solves the challenge of a waiting room as a client does that knows only the description. */
public final class Challenges {

  private Challenges() {}

  /** The text for {@code X-Solution}. */
  public static String solve(JsonNode challenge) {
    var salt = challenge.path("salt").asString();
    var wanted = challenge.path("challenge").asString();
    for (int number = 0; number <= challenge.path("maxnumber").asInt(); number++) {
      if (sha256(salt + number).equals(wanted)) {
        var solution = JsonMapper.shared().createObjectNode();
        for (var member : new String[] {"algorithm", "challenge", "salt", "signature"}) {
          solution.set(member, challenge.path(member));
        }
        var json = solution.put("number", number).toString();
        return Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
      }
    }
    throw new AssertionError("no number solves " + challenge);
  }

  private static String sha256(String text) {
    try {
      var hash = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(hash.digest(text.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
