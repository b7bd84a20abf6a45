package io.firstcome.adapter.redis;

import io.firstcome.contracts.fuzz.FuzzContract;
import io.firstcome.contracts.fuzz.FuzzTarget;

class LogEntriesFuzzIT extends FuzzContract {

  LogEntriesFuzzIT() {
    super(new FuzzTarget(LogEntriesFuzz.class, LogEntriesFuzz::fuzzerTestOneInput));
  }
}
