package io.firstcome.bootstrap.load;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.domain.issuance.UserId;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Reads of all rows of a coupon, which can take seconds: in {@link CallerTurns}, so that they do
 * not occupy all connections that operators have to the database.
 */
@Component
public final class LongReads {

  private final CallerTurns turns = new CallerTurns(Duration.ofSeconds(2));

  /**
   * Waits for earlier ones, reads, and returns the result. It can be called within another one.
   *
   * @param user null if the caller names none
   * @throws Problem {@code overloaded}, as {@link CallerTurns} does
   */
  public <T> T call(@Nullable UserId user, Supplier<T> read) {
    return turns.call(user, read);
  }
}
