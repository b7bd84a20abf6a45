package io.firstcome.domain.rehearsal;

import java.time.Duration;

/**
 * What a part of the crowd has cost, on the machine of the instance that sent its claims.
 *
 * @param answers in that time
 * @param processor time of all processors of the machine, with that of the crowd itself
 * @param crowd the part of it that sending the claims has cost
 * @param stock processor time of the server of the stock; zero if the stock is in the database
 */
public record CrowdPhase(
    int answers, Duration elapsed, Duration processor, Duration crowd, Duration stock) {

  public static final CrowdPhase NONE =
      new CrowdPhase(0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);
}
