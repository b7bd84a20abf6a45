package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Authenticates claim messages with the code key of a deployment, as its instances do. */
public final class MessageSeals {

  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] codeKey;

  /**
   * @param codeKey of version 1, in base 64
   */
  MessageSeals(String codeKey) {
    this.codeKey = Base64.getDecoder().decode(codeKey);
  }

  /** The JSON object with a new seal, in place of the one that it may have. */
  public String seal(String object) {
    var content = (ObjectNode) JsonMapper.shared().readTree(object);
    content.remove("mac");
    String json = content.toString();
    String covered = json.substring(0, json.length() - 1);
    return covered + ",\"mac\":{\"1\":\"%s\"}}".formatted(code(covered));
  }

  private String code(String covered) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(codeKey, ALGORITHM));
      byte[] code = mac.doFinal(("firstcome claim message\0" + covered).getBytes(UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(code);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
