package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The HTTP calls of an operator for dead letters. */
public final class DeadLetterCalls {

  public static final String PATH = "/api/v1/admin/dead-letters";

  private static final int PAGE_MAX = 100;

  private final Deployment deployment;

  public DeadLetterCalls(Deployment deployment) {
    this.deployment = deployment;
  }

  public List<JsonNode> all() {
    return all(PAGE_MAX);
  }

  /** All of them, read in pages of that size. */
  public List<JsonNode> all(int limit) {
    List<JsonNode> all = new ArrayList<>();
    String after = "";
    while (true) {
      var page = send(Call.get(PATH + "?limit=" + limit + after));
      assertThat(page.status()).as(page.body()).isEqualTo(200);
      page.json().path("items").forEach(all::add);
      if (!page.json().has("next")) {
        return all;
      }
      after = "&after=" + page.text("next");
    }
  }

  /** The dead letters with claims of that coupon. */
  public List<JsonNode> of(String couponId) {
    return all().stream()
        .filter(letter -> letter.path("couponId").asString("").equals(couponId))
        .toList();
  }

  public Answer get(long id) {
    return send(Call.get(PATH + "/" + id));
  }

  public Answer replay(long id) {
    return send(Call.of("POST", PATH + "/" + id + "/replay"));
  }

  public Answer discard(long id) {
    return send(Call.of("DELETE", PATH + "/" + id));
  }

  private Answer send(Call call) {
    return deployment.send(call.operator());
  }
}
