package io.firstcome.benchmark.bench;

import io.firstcome.devservices.HttpLine;
import io.firstcome.devservices.KeptAliveConnection.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Users who have a coupon, and what they were told when they got it. */
final class Winners {

  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final int ACCEPTED = 202;
  private static final int OK = 200;

  /** What must never change: id, slot and code stand side by side. */
  private static final Pattern IDENTITY =
      Pattern.compile("\"userCouponId\":\"[^\"]+\",\"slot\":\\d+,\"code\":\"[^\"]+\"");

  private final int port;
  private final String path;
  private final List<String> identities;

  private Winners(int port, String path, List<String> identities) {
    this.port = port;
    this.path = path;
    this.identities = List.copyOf(identities);
  }

  /** Claims all pieces of a new coupon. */
  static Winners claim(int port, String path, int pieces) {
    List<String> identities = new ArrayList<>();
    try (HttpLine line = HttpLine.open(port, path, "")) {
      for (int i = 0; i < pieces; i++) {
        identities.add(identity(line.post(user(i)), ACCEPTED));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Winners(port, path, identities);
  }

  /**
   * Lets one after the other claim again, until the load beside it has ended.
   *
   * @throws IllegalStateException if one is told anything else than before
   */
  void askAgainUntil(BooleanSupplier ended) throws InterruptedException {
    try (HttpLine line = HttpLine.open(port, path, "")) {
      for (int i = 0; !ended.getAsBoolean(); i++) {
        int winner = i % identities.size();
        String told = identity(line.post(user(winner)), OK);
        if (!told.equals(identities.get(winner))) {
          throw new IllegalStateException(
              "a winner was told '%s', and before '%s'".formatted(told, identities.get(winner)));
        }
        Thread.sleep(PAUSE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String user(int number) {
    return "winner-%d".formatted(number);
  }

  private static String identity(Answer answer, int status) {
    Matcher identity = IDENTITY.matcher(answer.body());
    if (answer.status() != status || !identity.find()) {
      throw new IllegalStateException(
          "a winner was answered %d: %s".formatted(answer.status(), answer.body()));
    }
    return identity.group();
  }
}
