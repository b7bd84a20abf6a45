package io.firstcome.bootstrap.challenge;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.CouponFixtures;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.issuance.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Base64;
import org.altcha.altcha.Altcha;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.StandardEnvironment;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Challenges of ALTCHA, whose solutions are forged, old, or of somebody else. */
class AltchaChallengesTest {

  private static final ChallengeProperties PROPERTIES =
      new ChallengeProperties(2_000, Duration.ofMinutes(10));
  private static final UserId ANN = new UserId("ann");
  private static final UserId BOB = new UserId("bob");

  private final JsonMapper json = JsonMapper.shared();
  private final Coupon coupon = aCoupon().withId("SPRING").build();
  private final AltchaChallenges challenges = challengesAt(InstantSource.system());

  private AltchaChallenges challengesAt(InstantSource clock) {
    return new AltchaChallenges(
        CouponFixtures.codeKeys(), PROPERTIES, clock, json, new StandardEnvironment());
  }

  /** What the widget sends: the challenge with the number, without the range. */
  private ObjectNode solved(JsonNode challenge) throws Exception {
    var solution =
        Altcha.solveChallenge(
            challenge.path("challenge").asString(),
            challenge.path("salt").asString(),
            Altcha.Algorithm.SHA256,
            challenge.path("maxnumber").asLong(),
            0);
    var solved = (ObjectNode) challenge.deepCopy();
    solved.remove("maxnumber");
    return solved.put("number", solution.number);
  }

  private ObjectNode solved(AltchaChallenges from, UserId user) throws Exception {
    return solved(json.readTree(from.challenge(coupon, user)));
  }

  private static String text(JsonNode solution) {
    return Base64.getEncoder().encodeToString(solution.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_solution_is_valid_for_its_user_and_coupon_alone() throws Exception {
    var text = text(solved(challenges, ANN));

    assertThat(challenges.isSolved(coupon, ANN, text)).isTrue();
    assertThat(challenges.isSolved(coupon, ANN, text)).as("again").isTrue();
    assertThat(challenges.isSolved(coupon, BOB, text)).isFalse();
    assertThat(challenges.isSolved(aCoupon().withId("AUTUMN").build(), ANN, text)).isFalse();
  }

  @Test
  void a_challenge_says_how_much_work_it_is_and_no_two_are_equal() {
    var one = json.readTree(challenges.challenge(coupon, ANN));
    var two = json.readTree(challenges.challenge(coupon, ANN));

    assertThat(one.path("algorithm").asString()).isEqualTo("SHA-256");
    assertThat(one.path("maxnumber").asInt()).isEqualTo(2_000);
    assertThat(one.path("salt").asString()).isNotEqualTo(two.path("salt").asString());
    assertThat(one.has("number")).isFalse();
  }

  @Test
  void a_wrong_number_or_another_signature_solves_nothing() throws Exception {
    var solution = solved(challenges, ANN);
    var wrong = solution.deepCopy().put("number", solution.path("number").asLong() + 1);
    var signed = solution.deepCopy().put("signature", "0".repeat(64));
    var weaker = solution.deepCopy().put("algorithm", "SHA-1");

    assertThat(challenges.isSolved(coupon, ANN, text(wrong))).isFalse();
    assertThat(challenges.isSolved(coupon, ANN, text(signed))).isFalse();
    assertThat(challenges.isSolved(coupon, ANN, text(weaker))).isFalse();
  }

  /**
   * Digits of the number, moved to the end of the salt, must not change the time at which the
   * challenge expires (CVE-2025-68113).
   */
  @Test
  void a_challenge_that_has_expired_cannot_be_prolonged() throws Exception {
    var hourAgo = Clock.fixed(Instant.now().minus(Duration.ofHours(1)), ZoneOffset.UTC);
    var solution = solved(challengesAt(hourAgo), ANN);
    assertThat(challenges.isSolved(coupon, ANN, text(solution))).isFalse();

    var salt = solution.path("salt").asString();
    var number = solution.path("number").asString();
    for (int i = 1; i < number.length(); i++) {
      var spliced =
          solution
              .deepCopy()
              .put("salt", salt + number.substring(0, i))
              .put("number", Long.parseLong(number.substring(i)));
      assertThat(challenges.isSolved(coupon, ANN, text(spliced))).as(spliced.toString()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "%",
        "bnVsbA==",
        "e30=",
        "W10=",
        "MQ==",
        "eyJhbGdvcml0aG0iOjF9",
        "eyJhbGdvcml0aG0iOiJTSEEtMjU2IiwiY2hhbGxlbmdlIjp7fSwibnVtYmVyIjoieCIsInNhbHQiOltdLCJzaWduYXR1cmUiOm51bGx9"
      })
  void a_text_that_is_no_solution_is_none(String text) {
    assertThat(challenges.isSolved(coupon, ANN, text)).isFalse();
  }

  @Test
  void a_text_that_is_nested_deeply_is_no_solution() {
    var nested = "[".repeat(50_000);
    var text = Base64.getEncoder().encodeToString(nested.getBytes(StandardCharsets.US_ASCII));
    assertThat(challenges.isSolved(coupon, ANN, text)).isFalse();
  }
}
