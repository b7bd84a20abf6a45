package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.firstcome.systemtests.kit.RecordedClaim.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The file of all requests and answers, kept outside the system under test.
 *
 * <p>One event per line, tab-separated: {@code invoke id nanos coupon user}, later {@code ok},
 * {@code refused} or {@code unknown} with {@code id nanos status outcome slot userCouponId code}. A
 * request without a second line was never answered. All times are of one monotonic clock.
 */
public final class RequestRecord implements AutoCloseable {

  private static final int UNAVAILABLE = 503;
  private static final int TOO_MANY_REQUESTS = 429;

  private final Path file;
  private final Writer writer;
  private final AtomicLong ids = new AtomicLong();

  public RequestRecord(Path file) {
    this.file = file;
    try {
      this.writer = Files.newBufferedWriter(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** To be called before anything is sent. */
  public long invoke(String couponId, String user) {
    long id = ids.incrementAndGet();
    write("invoke", id, System.nanoTime(), couponId, user);
    return id;
  }

  /**
   * To be called as soon as the answer is read; returns the claim as {@link #claimsOf} reads it
   * later, without its begin.
   */
  public RecordedClaim answered(long id, String couponId, String user, Answer answer) {
    long end = System.nanoTime();
    Kind kind = kind(answer);
    boolean ok = kind == Kind.OK;
    RecordedClaim claim =
        new RecordedClaim(
            id,
            couponId,
            user,
            0,
            end,
            kind,
            answer.status(),
            ok ? answer.text("outcome") : answer.problem(),
            ok ? answer.json().path("slot").asInt(0) : 0,
            ok ? answer.text("userCouponId") : "",
            ok ? answer.text("code") : "");
    write(
        switch (kind) {
          case OK -> "ok";
          case REFUSED -> "refused";
          case UNKNOWN -> "unknown";
        },
        id,
        end,
        Integer.toString(claim.status()),
        claim.outcome(),
        Integer.toString(claim.slot()),
        claim.userCouponId(),
        claim.code());
    return claim;
  }

  /** A server error other than these two does not say whether the claim was accepted. */
  private static Kind kind(Answer answer) {
    if (answer.status() / 100 == 2) {
      return Kind.OK;
    }
    boolean nothingHappened =
        answer.status() / 100 == 4
            || answer.status() == TOO_MANY_REQUESTS
            || (answer.status() == UNAVAILABLE
                && (answer.problem().equals("recovering")
                    || answer.problem().equals("overloaded")));
    return nothingHappened ? Kind.REFUSED : Kind.UNKNOWN;
  }

  private void write(String event, long id, long nanos, String... more) {
    String line = "%s\t%d\t%d\t%s\n".formatted(event, id, nanos, String.join("\t", more));
    try {
      synchronized (writer) {
        writer.write(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All requests for that coupon so far, in the order in which they began, from the file. */
  public List<RecordedClaim> claimsOf(String couponId) {
    return all().stream().filter(claim -> claim.couponId().equals(couponId)).toList();
  }

  /**
   * Users whose first answer that names a slot was that of a repeated claim: an earlier one was
   * accepted, and its answer was lost.
   */
  public List<String> usersFirstAnsweredAsRepeated(String couponId) {
    Map<String, RecordedClaim> first = new LinkedHashMap<>();
    claimsOf(couponId).stream()
        .filter(RecordedClaim::isOk)
        .sorted(Comparator.comparingLong(RecordedClaim::endNanos))
        .forEach(claim -> first.putIfAbsent(claim.user(), claim));
    return first.values().stream()
        .filter(RecordedClaim::isRepeated)
        .map(RecordedClaim::user)
        .toList();
  }

  /** All requests so far, from the file. */
  public List<RecordedClaim> all() {
    Map<Long, RecordedClaim> byId = new LinkedHashMap<>();
    try {
      written().lines().forEach(line -> read(byId, line.split("\t", -1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ArrayList<>(byId.values());
  }

  /** Only complete lines: other threads may already be writing the next one. */
  private String written() throws IOException {
    long size;
    synchronized (writer) {
      writer.flush();
      size = Files.size(file);
    }
    try (InputStream content = Files.newInputStream(file)) {
      return new String(content.readNBytes(Math.toIntExact(size)), UTF_8);
    }
  }

  private static void read(Map<Long, RecordedClaim> byId, String[] fields) {
    long id = Long.parseLong(fields[1]);
    long nanos = Long.parseLong(fields[2]);
    byId.compute(
        id,
        (same, begun) ->
            begun == null
                ? new RecordedClaim(
                    id, fields[3], fields[4], nanos, Long.MAX_VALUE, Kind.UNKNOWN, 0, "", 0, "", "")
                : new RecordedClaim(
                    id,
                    begun.couponId(),
                    begun.user(),
                    begun.beginNanos(),
                    nanos,
                    kind(fields[0]),
                    Integer.parseInt(fields[3]),
                    fields[4],
                    Integer.parseInt(fields[5]),
                    fields[6],
                    fields[7]));
  }

  private static Kind kind(String event) {
    return switch (event) {
      case "ok" -> Kind.OK;
      case "refused" -> Kind.REFUSED;
      case "unknown" -> Kind.UNKNOWN;
      default -> throw new IllegalStateException("not an event: '" + event + "'");
    };
  }

  @Override
  public void close() {
    try {
      writer.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
