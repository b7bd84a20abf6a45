package io.firstcome.adapter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.UserId;
import java.io.UncheckedIOException;

/**
 * Filters of ledgers, as instances write them to Redis. Bytes are a filter that can be written
 * again, or are refused; no memory is allocated beyond their length.
 */
public final class LedgerFilterFuzz {

  private static final UserId ANN = new UserId("ann");

  private LedgerFilterFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    LedgerFilter filter;
    try {
      filter = LedgerFilter.of(new Epoch(1), "1", input);
    } catch (UncheckedIOException e) {
      assertThat(e).hasMessage("not a filter of a ledger");
      return;
    }
    assertThat(filter.toBytes()).isEqualTo(input);
    filter.add(ANN.value());
    assertThat(filter.mayHaveMark(ANN)).isTrue();
  }
}
