package io.firstcome.devservices.launcher.demo;

import io.firstcome.devservices.service.HttpAnswer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Users of a waiting room, and what the service answered to each of them. Thread-safe. */
final class Guests {

  private static final int REFUSED = 300;

  private final AtomicIntegerArray numbers;
  private final AtomicReferenceArray<@Nullable String> tickets;
  private final AtomicReferenceArray<@Nullable String> admissions;
  private final Set<String> winners = ConcurrentHashMap.newKeySet();
  private final AtomicInteger tooLate = new AtomicInteger();
  private final AtomicInteger outOfOrder = new AtomicInteger();
  private final AtomicInteger errors = new AtomicInteger();
  private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();

  Guests(int users) {
    numbers = new AtomicIntegerArray(users);
    tickets = new AtomicReferenceArray<>(users);
    admissions = new AtomicReferenceArray<>(users);
  }

  /** The answers to users who join. */
  Burst.Answers joins() {
    return answers((json, user) -> {
      numbers.set(user, json.path("number").asInt());
      tickets.set(user, json.path("ticket").asString());
    });
  }

  /** The answers to users who ask where they stand. */
  Burst.Answers standings() {
    return answers((json, user) -> {
      if (json.path("state").asString().equals("ADMITTED")) {
        admissions.set(user, json.path("admission").asString());
      } else if (json.path("chance").asString().equals("GONE")) {
        tooLate.incrementAndGet();
      } else {
        failed("neither admitted nor too late: " + json);
      }
    });
  }

  /** The answers to users who were admitted and claim, in that order. */
  Burst.Answers claims(List<Integer> admitted) {
    return answers((json, i) -> {
      int user = admitted.get(i);
      winners.add(UserRequests.userId(user));
      if (json.path("slot").asInt() != numbers.get(user)) {
        outOfOrder.incrementAndGet();
      }
    });
  }

  private Burst.Answers answers(ObjIntConsumer<JsonNode> success) {
    return new Burst.Answers() {
      @Override
      public void answered(int user, HttpAnswer answer, boolean mayBeRepeat, long nanos) {
        if (answer.status() < REFUSED) {
          success.accept(JsonMapper.shared().readTree(answer.body()), user);
        } else {
          failed(user, "%d %s".formatted(answer.status(), answer.body()));
        }
      }

      @Override
      public void failed(int user, String reason) {
        Guests.this.failed(reason);
      }
    };
  }

  private void failed(String reason) {
    errors.incrementAndGet();
    firstError.compareAndSet(null, reason);
  }

  /** The user's ticket, or the empty string. */
  String ticket(int user) {
    String ticket = tickets.get(user);
    return ticket == null ? "" : ticket;
  }

  /** The user's admission, or the empty string. */
  String admission(int user) {
    String admission = admissions.get(user);
    return admission == null ? "" : admission;
  }

  /** The users who were admitted. */
  List<Integer> admitted() {
    return IntStream.range(0, admissions.length())
        .filter(user -> admissions.get(user) != null)
        .boxed()
        .toList();
  }

  /** The ids of the users who have the coupon. */
  Set<String> winners() {
    return Set.copyOf(winners);
  }

  /** Users who know that no slot is left for them. */
  int tooLate() {
    return tooLate.get();
  }

  /** Users whose slot is not the number of their ticket. */
  int outOfOrder() {
    return outOfOrder.get();
  }

  int errors() {
    return errors.get();
  }

  Optional<String> firstError() {
    return Optional.ofNullable(firstError.get());
  }
}
