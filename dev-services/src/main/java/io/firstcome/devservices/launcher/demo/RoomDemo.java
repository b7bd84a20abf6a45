package io.firstcome.devservices.launcher.demo;

import io.firstcome.devservices.launcher.terminal.LauncherException;
import io.firstcome.devservices.launcher.terminal.Terminal;
import io.firstcome.devservices.launcher.terminal.Units;
import io.firstcome.devservices.service.KeepAliveConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Many users join the waiting room of a coupon before it opens. The room claims for them in the
 * order of their tickets; then each of them asks where they stand, and for the coupon.
 */
public final class RoomDemo {

  private static final Duration OPENING_LIMIT = Duration.ofSeconds(30);
  private static final Duration SERVING_LIMIT = Duration.ofMinutes(5);
  private static final Duration DURABLE_LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  private final Terminal terminal;
  private final int port;
  private final UserRequests requests;
  private final IssuedRows rows;
  private final int stock;
  private final int users;
  private final Guests guests;

  /**
   * A demo that has not begun.
   *
   * @param couponId of a coupon with a waiting room that claims
   */
  public RoomDemo(
      Terminal terminal, int port, String couponId, IssuedRows rows, int stock, int users) {
    this.terminal = terminal;
    this.port = port;
    this.requests = new UserRequests(port, couponId);
    this.rows = rows;
    this.stock = stock;
    this.users = users;
    this.guests = new Guests(users);
  }

  /** Runs it, and prints what happens. */
  public RoomResult run() {
    awaitRoom(OPENING_LIMIT, "opened", room -> room.has("serving"));
    long joining =
        new Burst(port, users, requests::join, guests.joins())
            .run(sent -> progress("%s of %s users have joined", sent));
    terminal.line(
        "  joined    %s users in %s: %s joins/s"
            .formatted(
                Units.count(users), Units.seconds(joining), Units.perSecond(users, joining)));

    int winners = Math.min(stock, users);
    long from = System.nanoTime();
    awaitRoom(SERVING_LIMIT, "served its users", room -> room.path("serving").asInt() >= winners);
    terminal.line(
        "  served    %s users, %s after the last join"
            .formatted(Units.count(winners), Units.since(from)));

    new Burst(port, users, user -> requests.standing(user, guests.ticket(user)), guests.standings())
        .run(sent -> progress("%s of %s users know where they stand", sent));
    var admitted = guests.admitted();
    new Burst(
            port,
            admitted.size(),
            i -> requests.claim(admitted.get(i), guests.admission(admitted.get(i))),
            guests.claims(admitted))
        .run(sent -> {});
    terminal.progress("waiting for the database…");
    long served = System.nanoTime();
    rows.awaitRows(winners, () -> System.nanoTime() - served > DURABLE_LIMIT.toNanos());
    var result =
        new RoomResult(
            stock,
            users,
            guests.winners().size(),
            guests.outOfOrder(),
            guests.tooLate(),
            guests.errors(),
            rows.find(stock, guests.winners()));
    print(result);
    return result;
  }

  private void progress(String text, int sent) {
    terminal.progress(text.formatted(Units.count(sent), Units.count(users)));
  }

  /** Reads the document of the room, which is the same for everybody, until it is so. */
  private void awaitRoom(Duration limit, String what, Predicate<JsonNode> isSo) {
    long from = System.nanoTime();
    try (KeepAliveConnection connection = KeepAliveConnection.open(port)) {
      while (true) {
        JsonNode room = JsonMapper.shared().readTree(connection.exchange(requests.room()).body());
        if (isSo.test(room)) {
          return;
        }
        if (System.nanoTime() - from > limit.toNanos()) {
          throw new LauncherException(
              "the waiting room has not %s within %s".formatted(what, limit));
        }
        terminal.progress(
            "waiting room %s: %s of %s served, %s of %s slots issued"
                .formatted(
                    room.path("phase").asString(""),
                    Units.count(room.path("serving").asInt(0)),
                    Units.count(room.path("joined").asInt(0)),
                    Units.count(room.path("issued").asInt(0)),
                    Units.count(stock)));
        TimeUnit.NANOSECONDS.sleep(POLL_INTERVAL.toNanos());
      }
    } catch (IOException e) {
      throw new LauncherException("cannot read the waiting room: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading a waiting room", e);
    }
  }

  private void print(RoomResult result) {
    terminal.line("");
    terminal.line(
        "  answers   %s have the coupon, %s know that no slot is left, %s errors"
            .formatted(
                Units.count(result.winners()),
                Units.count(result.tooLate()),
                Units.count(result.errors())));
    terminal.line(
        "  order     %s of them have the slot with the number of their ticket"
            .formatted(Units.count(result.winners() - result.outOfOrder())));
    IssuedRows.Finding database = result.database();
    terminal.line(
        "  database  %s rows, %s users, %s slots"
            .formatted(
                Units.count(database.rows()),
                Units.count(database.distinctUsers()),
                Units.count(database.distinctSlots())));
    var faults = result.faults();
    terminal.line(faults.isEmpty() ? "  EXACT" : "  NOT EXACT: " + String.join("; ", faults));
    guests.firstError().ifPresent(error -> terminal.line("  first error: " + error));
    terminal.line("");
  }
}
