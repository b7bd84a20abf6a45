package io.firstcome.adapter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.waitingroom.Gap;
import io.firstcome.domain.waitingroom.RoomOffer;
import io.firstcome.domain.waitingroom.RoomProgress;
import io.firstcome.domain.waitingroom.RoomReserve;
import io.firstcome.domain.waitingroom.RoomState;
import io.firstcome.domain.waitingroom.RoomStock;
import io.firstcome.domain.waitingroom.RoomTerms;
import io.firstcome.domain.waitingroom.ServingHistory;
import io.firstcome.domain.waitingroom.ServingNumber;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The function of {@code room.lua} that advances a number computes the same as {@link RoomState}.
 */
class RoomNumberIT {

  private static final int STEPS = 2_000;

  /** Calls the function with a room and a stock that are made of the arguments. */
  private static final String BODY =
      """
      local room = { admission = tonumber(ARGV[1]), rate = tonumber(ARGV[2]), paused = ARGV[3],
        draws = ARGV[4], drawn = ARGV[5] ~= '' and ARGV[5], last = tonumber(ARGV[6]),
        reserve = tonumber(ARGV[7]), served = tonumber(ARGV[8]), thousandths = tonumber(ARGV[9]),
        since = tonumber(ARGV[10]), counted = tonumber(ARGV[11]), marks = ARGV[12], gaps = ARGV[13],
        free = tonumber(ARGV[14]), offered = tonumber(ARGV[15]), offeredAt = tonumber(ARGV[16]),
        claims = ARGV[21], claimed = tonumber(ARGV[22]) }
      local stock = { accepts = ARGV[17] == '1', next = ARGV[18] == '1' and 2 or 1, total = 1,
        claimable = tonumber(ARGV[19]) }
      advance(room, stock, tonumber(ARGV[20]))
      return { room.served, room.thousandths, room.since, room.counted, room.marks, room.gaps,
        room.free, room.offered, room.offeredAt }
      """;

  private final RedisBackend backend = RedisBackend.empty(100);
  private String script = "";

  @BeforeEach
  void load() throws IOException {
    var source = "#!lua flags=no-writes\n" + read("prelude.lua") + read("room.lua") + BODY;
    script = backend.commands(commands -> commands.scriptLoad(source));
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private static String read(String name) throws IOException {
    try (InputStream file =
        Objects.requireNonNull(LuaScript.class.getResourceAsStream(name), name)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void both_compute_the_same(long seed) {
    var random = new Random(seed);
    var _ =
        backend.commands(commands -> {
          var state = someRoom(random);
          for (int i = 0; i < STEPS; i++) {
            state = i % 100 == 0 ? someRoom(random) : changed(state, random);
            var stock =
                new RoomStock(
                    random.nextInt(5) > 0, random.nextInt(3) == 0, random.nextInt(4), 100);
            var now = state.progress().number().since().plusMillis(random.nextInt(-500, 7_000));
            var expected = state.at(now, stock);

            assertThat(advanced(commands, state, stock, now))
                .as("seed %d, step %d: %s, %s", seed, i, state, stock)
                .isEqualTo(expected.progress());
            state = expected;
          }
          return state;
        });
  }

  private static RoomState someRoom(Random random) {
    var admissionTime = Duration.ofSeconds(random.nextInt(10, 60));
    var room =
        new WaitingRoom(
            random.nextBoolean() ? WaitingRoom.Mode.ADMIT : WaitingRoom.Mode.CLAIM,
            random.nextBoolean() ? WaitingRoom.Order.ARRIVAL : WaitingRoom.Order.DRAW,
            Instant.EPOCH,
            random.nextInt(1, 50),
            admissionTime,
            false,
            false);
    var gaps = new ArrayList<Gap>();
    int end = random.nextInt(10);
    for (int i = random.nextInt(3); i > 0; i--) {
      int after = end + random.nextInt(200);
      end = after + random.nextInt(1, 500);
      gaps.add(new Gap(after, end));
    }
    return new RoomState(
        new RoomTerms(1, room),
        end + random.nextInt(1_000),
        RoomReserve.NONE,
        new RoomProgress(
            ServingNumber.startingAt(Instant.ofEpochMilli(1_700_000_000_000L)),
            ServingHistory.startingWith(admissionTime),
            gaps,
            RoomOffer.NONE),
        null,
        0);
  }

  private static RoomState changed(RoomState state, Random random) {
    var room = state.terms().room();
    return switch (random.nextInt(9)) {
      case 0 ->
          state.with(
              new RoomTerms(
                  state.terms().revision() + 1,
                  room.withPace(random.nextInt(1, 200), random.nextInt(3) == 0)));
      case 1 -> raised(state, 0, state.progress().number().served() + random.nextInt(100));
      case 2 -> state.extended(RoomReserve.NONE, 5);
      case 3 -> raised(state, state.lastTicket() + 1, 0).withNextTicket();
      case 5 -> state.withLoweredReserve();
      case 4 -> state.claimedFor(state.progress().number().served());
      default -> state;
    };
  }

  private static RoomState raised(RoomState state, int tickets, int places) {
    return state.extended(state.reserve().raisedTo(new RoomReserve(tickets, places)), null);
  }

  private RoomProgress advanced(
      RedisCommands<String, String> commands, RoomState state, RoomStock stock, Instant now) {
    var room = state.terms().room();
    var progress = state.progress();
    var number = progress.number();
    List<Object> reply =
        commands.evalsha(
            script,
            ScriptOutputType.MULTI,
            new String[0],
            Long.toString(room.admissionTime().toMillis()),
            Integer.toString(room.admissionsPerSecond()),
            room.isPaused() ? "1" : "",
            room.order() == WaitingRoom.Order.DRAW ? "1" : "",
            state.drawn() == null ? "" : state.drawn().toString(),
            Integer.toString(state.lastTicket()),
            Integer.toString(state.reserve().places()),
            Integer.toString(number.served()),
            Integer.toString(number.thousandths()),
            Long.toString(number.since().toEpochMilli()),
            Long.toString(number.counted().toMillis()),
            RoomTexts.ofMarks(progress.history().marks()),
            RoomTexts.ofGaps(progress.gaps()),
            Integer.toString(progress.offer().slots()),
            Integer.toString(progress.offer().limit()),
            Long.toString(progress.offer().counted().toMillis()),
            stock.accepts() ? "1" : "",
            stock.isAllocated() ? "1" : "",
            Integer.toString(stock.free()),
            Long.toString(now.toEpochMilli()),
            room.mode() == WaitingRoom.Mode.CLAIM ? "1" : "",
            Integer.toString(state.claimed()));
    return new RoomProgress(
        new ServingNumber(
            integer(reply, 0),
            integer(reply, 1),
            Instant.ofEpochMilli((Long) reply.get(2)),
            Duration.ofMillis((Long) reply.get(3))),
        new ServingHistory(room.admissionTime(), RoomTexts.marks((String) reply.get(4))),
        RoomTexts.gaps((String) reply.get(5)),
        new RoomOffer(
            integer(reply, 6), integer(reply, 7), Duration.ofMillis((Long) reply.get(8))));
  }

  private static int integer(List<Object> reply, int index) {
    return Math.toIntExact((Long) reply.get(index));
  }
}
