package io.firstcome.domain.port;

import io.firstcome.domain.issuance.SetAsideClaim;
import java.util.List;

/** The place for claims that can never be recorded as they stand. */
public interface DeadLetters {

  /**
   * Sets the claims aside and returns only when they are kept durably.
   *
   * @throws BrokerUnavailableException otherwise
   */
  void setAside(List<SetAsideClaim> claims);
}
