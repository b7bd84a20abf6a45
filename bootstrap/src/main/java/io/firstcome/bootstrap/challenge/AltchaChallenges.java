package io.firstcome.bootstrap.challenge;

import io.firstcome.bootstrap.refusal.UnknownSettings;
import io.firstcome.bootstrap.wiring.WithRedis;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ChallengeVerifier;
import io.firstcome.domain.usercoupon.CodeKeys;
import io.firstcome.domain.usercoupon.CodeKeys.Purpose;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import org.altcha.altcha.Altcha;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * The proof of work of <a href="https://altcha.org/docs/v2/proof-of-work/">ALTCHA</a>, version 1: a
 * client finds the number whose SHA-256 with the salt is the challenge. A solution is the JSON of
 * ALTCHA's widget in base 64. Nothing is stored and no other service is asked.
 *
 * <p>Each user and coupon has a key of its own, so a challenge of another user or coupon does not
 * have a valid signature.
 */
@Component
@WithRedis
class AltchaChallenges implements ChallengeVerifier {

  private final CodeKeys codeKeys;
  private final ChallengeProperties properties;
  private final InstantSource clock;
  private final JsonMapper json;

  AltchaChallenges(
      CodeKeys codeKeys,
      ChallengeProperties properties,
      InstantSource clock,
      JsonMapper json,
      Environment environment) {
    UnknownSettings.refuse(environment, ChallengeProperties.PREFIX, ChallengeProperties::isKnown);
    this.codeKeys = codeKeys;
    this.properties = properties;
    this.clock = clock;
    this.json = json;
  }

  @Override
  public String challenge(Coupon coupon, UserId user) {
    var options =
        new Altcha.ChallengeOptions()
            .setAlgorithm(Altcha.Algorithm.SHA256)
            .setMaxNumber((long) properties.maxNumber())
            .setSecureRandomNumber(true)
            .setExpires(clock.instant().plus(properties.time()).getEpochSecond())
            .setHmacKey(key(coupon, user));
    try {
      var created = Altcha.createChallenge(options);
      return json.writeValueAsString(
          Map.of(
              "algorithm", created.algorithm,
              "challenge", created.challenge,
              "maxnumber", created.maxnumber,
              "salt", created.salt,
              "signature", created.signature));
    } catch (Exception e) {
      throw new IllegalStateException("no challenge could be created", e);
    }
  }

  @Override
  public boolean isSolved(Coupon coupon, UserId user, String solution) {
    var key = key(coupon, user);
    try {
      return Altcha.verifySolution(solution, key, true);
    } catch (Exception e) {
      // Whatever the text is, it is not the JSON of a solution.
      return false;
    }
  }

  private String key(Coupon coupon, UserId user) {
    // Neither id can contain a zero byte, so no two pairs form the same message.
    var message = coupon.id() + "\0" + user;
    return HexFormat.of()
        .formatHex(
            codeKeys.authenticationCode(
                coupon.codeKeyVersion(),
                Purpose.CHALLENGE,
                message.getBytes(StandardCharsets.US_ASCII)));
  }
}
