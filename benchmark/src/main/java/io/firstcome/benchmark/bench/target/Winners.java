package io.firstcome.benchmark.bench.target;

import io.firstcome.devservices.service.HttpAnswer;
import io.firstcome.devservices.service.HttpLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Users who have a coupon, with the answers to their first claims. */
final class Winners {

  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final int ACCEPTED = 202;
  private static final int OK = 200;

  /** The members that must never change: id, slot and code, which are adjacent. */
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

  /** Claims all slots of a new coupon. */
  static Winners claim(int port, String path, int quantity) {
    List<String> identities = new ArrayList<>();
    try (HttpLine line = HttpLine.open(port, path, "")) {
      for (int i = 0; i < quantity; i++) {
        identities.add(identity(line.post(user(i)), ACCEPTED));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Winners(port, path, identities);
  }

  /**
   * Repeats the claims, one after the other, until the concurrent load has ended.
   *
   * @throws IllegalStateException if an answer differs from the first one
   */
  void askAgainUntil(BooleanSupplier ended) throws InterruptedException {
    try (HttpLine line = HttpLine.open(port, path, "")) {
      for (int i = 0; !ended.getAsBoolean(); i++) {
        int winner = i % identities.size();
        String repeated = identity(line.post(user(winner)), OK);
        if (!repeated.equals(identities.get(winner))) {
          throw new IllegalStateException(
              "a repeated claim was answered with '%s', the first one with '%s'"
                  .formatted(repeated, identities.get(winner)));
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

  private static String identity(HttpAnswer answer, int status) {
    Matcher identity = IDENTITY.matcher(answer.body());
    if (answer.status() != status || !identity.find()) {
      throw new IllegalStateException(
          "a winner was answered with %d: %s".formatted(answer.status(), answer.body()));
    }
    return identity.group();
  }
}
