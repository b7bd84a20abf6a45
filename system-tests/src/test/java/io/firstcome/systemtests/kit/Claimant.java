package io.firstcome.systemtests.kit;

import io.firstcome.devservices.service.KeepAliveConnection;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A client that claims over one kept-alive connection to one instance and records each request. Not
 * thread-safe.
 */
public final class Claimant implements AutoCloseable {

  private final int port;
  private final RequestRecord record;
  private @Nullable KeepAliveConnection open;

  public Claimant(int port, RequestRecord record) {
    this.port = port;
    this.record = record;
  }

  /** Claims; empty if no answer came, which leaves the outcome unknown. */
  public Optional<RecordedClaim> claim(String couponId, String user) {
    return claim(couponId, user, Call.claim(couponId).as(user));
  }

  /** Claims with {@code Prefer: wait}, for the answer after the row is committed. */
  public Optional<RecordedClaim> claim(String couponId, String user, int waitSeconds) {
    return claim(
        couponId, user, Call.claim(couponId).as(user).prefer("wait=%d".formatted(waitSeconds)));
  }

  private Optional<RecordedClaim> claim(String couponId, String user, Call call) {
    long id = record.invoke(couponId, user);
    try {
      Answer answer = Answer.of(connection().exchange(call.bytes()));
      return Optional.of(record.answered(id, couponId, user, answer));
    } catch (IOException e) {
      close();
      return Optional.empty();
    }
  }

  /** Sends a claim and closes the connection without reading the answer. */
  public void claimAndHangUp(String couponId, String user) throws IOException {
    record.invoke(couponId, user);
    connection().send(Call.claim(couponId).as(user).bytes());
    close();
  }

  /** Connects before the first claim; after a failure, that claim connects again. */
  void tryToConnect() {
    try {
      connection();
    } catch (IOException e) {
      close();
    }
  }

  private KeepAliveConnection connection() throws IOException {
    KeepAliveConnection current = open;
    if (current != null && current.isReusable()) {
      return current;
    }
    close();
    KeepAliveConnection made = KeepAliveConnection.open(port);
    open = made;
    return made;
  }

  @Override
  public void close() {
    KeepAliveConnection current = open;
    open = null;
    if (current != null) {
      current.close();
    }
  }
}
