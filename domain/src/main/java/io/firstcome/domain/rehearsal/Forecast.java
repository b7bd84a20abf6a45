package io.firstcome.domain.rehearsal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is expected of a drop. Times that would be longer than an hour are an hour.
 *
 * @param soldOutAfter from the first claim to the last accepted one; null if slots are left
 * @param answeredAfter from the first claim to the last answer
 * @param mostAnswers in one second
 * @param busyAnswers claims that are answered 503 because too many are being handled; they are
 *     repeated after a second and counted each time
 * @param longestWait of a user until the final answer
 * @param recordedAfter from the first claim until all accepted ones are rows
 * @param processors that all instances together need so that no user waits longer than a second, if
 *     no claim is answered 503; null if more processors than the largest deployment has do not
 *     suffice
 * @param stockBytes memory that the accepted claims take in the server of the stock; null if that
 *     is not known
 */
public record Forecast(
    @Nullable Duration soldOutAfter,
    Duration answeredAfter,
    int mostAnswers,
    long busyAnswers,
    Duration longestWait,
    Duration recordedAfter,
    @Nullable Integer processors,
    @Nullable Long stockBytes) {

  /**
   * What answers the claims.
   *
   * @param processors of one instance
   * @param claimsAtATime that one instance handles before it answers 503
   * @param sendsClaims whether the machines of the instances also send the claims, as in a
   *     rehearsal
   */
  public record Deployment(int instances, int processors, int claimsAtATime, boolean sendsClaims) {

    public Deployment {
      if (instances < 1 || processors < 1 || claimsAtATime < 1) {
        throw new IllegalArgumentException(
            "instances and processors must be 1 or more: %d, %d".formatted(instances, processors));
      }
    }

    public double allProcessors() {
      return (double) instances * processors;
    }

    public long allClaimsAtATime() {
      return (long) instances * claimsAtATime;
    }
  }
}
