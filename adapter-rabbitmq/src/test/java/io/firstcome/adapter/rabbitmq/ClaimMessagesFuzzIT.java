package io.firstcome.adapter.rabbitmq;

import io.firstcome.contracts.fuzz.FuzzContract;
import io.firstcome.contracts.fuzz.FuzzTarget;

class ClaimMessagesFuzzIT extends FuzzContract {

  ClaimMessagesFuzzIT() {
    super(
        new FuzzTarget(ClaimMessageCodecFuzz.class, ClaimMessageCodecFuzz::fuzzerTestOneInput),
        new FuzzTarget(ClaimMessagesFuzz.class, ClaimMessagesFuzz::fuzzerTestOneInput));
  }
}
