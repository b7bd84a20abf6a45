package io.firstcome.systemtests.kit;

import io.firstcome.devservices.KeptAliveConnection;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A caller that claims over one kept-alive connection to one instance and records each request. For
 * one thread.
 */
public final class Claimant implements AutoCloseable {

  private final int port;
  private final RequestRecord record;
  private @Nullable KeptAliveConnection open;

  public Claimant(int port, RequestRecord record) {
    this.port = port;
    this.record = record;
  }

  /** Claims; empty if no answer came, which leaves the outcome unknown. */
  public Optional<RecordedClaim> claim(String couponId, String user) {
    return claim(couponId, user, Call.claim(couponId).as(user));
  }

  /** Claims, and would wait so long for the row. */
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

  /** Sends a claim and closes the connection without a look at the answer. */
  public void claimAndHangUp(String couponId, String user) throws IOException {
    record.invoke(couponId, user);
    connection().send(Call.claim(couponId).as(user).bytes());
    close();
  }

  /** So that the first claim need not wait for it; what fails now is tried again then. */
  void tryToConnect() {
    try {
      connection();
    } catch (IOException e) {
      close();
    }
  }

  private KeptAliveConnection connection() throws IOException {
    KeptAliveConnection current = open;
    if (current != null && current.isReusable()) {
      return current;
    }
    close();
    KeptAliveConnection made = KeptAliveConnection.open(port);
    open = made;
    return made;
  }

  @Override
  public void close() {
    KeptAliveConnection current = open;
    open = null;
    if (current != null) {
      current.close();
    }
  }
}
