package io.firstcome.domain.issuance;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Part of a ledger.
 *
 * @param next where the next page begins, or null after the last one
 */
public record LedgerPage(Map<UserId, LedgerMark> marks, @Nullable String next) {

  public LedgerPage {
    marks = Map.copyOf(marks);
  }
}
