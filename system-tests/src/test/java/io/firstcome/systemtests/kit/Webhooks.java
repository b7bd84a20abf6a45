package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The webhooks of a test, which it deletes at its end. */
public final class Webhooks {

  public static final String PATH = "/api/v1/admin/webhooks";

  private final Function<Call, Answer> service;
  private final List<Long> added = new ArrayList<>();

  /**
   * @param service sends a call to the service and returns its answer
   */
  public Webhooks(Function<Call, Answer> service) {
    this.service = service;
  }

  /** Adds a webhook that receives at this address, and returns the answer. */
  public Answer add(String url) {
    var answer = tryToAdd(url);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    added.add(id(answer));
    return answer;
  }

  /** The answer to the same request, which may be a refusal. */
  public Answer tryToAdd(String url) {
    return service.apply(Call.of("POST", PATH).operator().json("{\"url\":\"%s\"}".formatted(url)));
  }

  /** The id of the webhook that was added with this answer. */
  public static long id(Answer answer) {
    return answer.json().path("webhook").path("webhookId").asLong();
  }

  /** The call of an operator who has read this revision of the webhook. */
  public static Call ifMatch(Call call, int revision) {
    return call.operator().header("If-Match: \"%d\"".formatted(revision));
  }

  /** Deletes those that were added and are still there. */
  public void deleteAll() {
    added.forEach(id -> {
      var path = PATH + "/" + id;
      var revision = service.apply(Call.get(path).operator()).json().path("revision");
      if (!revision.isMissingNode()) {
        var deletion = service.apply(ifMatch(Call.of("DELETE", path), revision.asInt()));
        assertThat(deletion.status()).as(deletion.body()).isEqualTo(204);
      }
    });
    added.clear();
  }
}
