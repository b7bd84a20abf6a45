package io.firstcome.adapter.redis;

import io.firstcome.contracts.fuzz.FuzzContract;
import io.firstcome.contracts.fuzz.FuzzTarget;

class LedgerFilterFuzzIT extends FuzzContract {

  LedgerFilterFuzzIT() {
    super(new FuzzTarget(LedgerFilterFuzz.class, LedgerFilterFuzz::fuzzerTestOneInput));
  }
}
