package io.firstcome.domain.issuance;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page of a ledger.
 *
 * @param next the cursor of the next page, or null after the last one
 */
public record LedgerPage(Map<UserId, LedgerMark> marks, @Nullable String next) {

  public LedgerPage {
    marks = Map.copyOf(marks);
  }
}
