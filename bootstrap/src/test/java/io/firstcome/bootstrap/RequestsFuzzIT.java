package io.firstcome.bootstrap;

import io.firstcome.bootstrap.load.ClientAddressesFuzz;
import io.firstcome.bootstrap.rest.admin.DefinitionReaderFuzz;
import io.firstcome.bootstrap.rest.claim.ClaimPathFuzz;
import io.firstcome.bootstrap.rest.redemption.OrderReaderFuzz;
import io.firstcome.bootstrap.rest.request.RequestTextsFuzz;
import io.firstcome.contracts.fuzz.FuzzContract;
import io.firstcome.contracts.fuzz.FuzzTarget;

class RequestsFuzzIT extends FuzzContract {

  RequestsFuzzIT() {
    super(
        new FuzzTarget(ClaimPathFuzz.class, ClaimPathFuzz::fuzzerTestOneInput),
        new FuzzTarget(ClientAddressesFuzz.class, ClientAddressesFuzz::fuzzerTestOneInput),
        new FuzzTarget(RequestTextsFuzz.class, RequestTextsFuzz::fuzzerTestOneInput),
        new FuzzTarget(DefinitionReaderFuzz.class, DefinitionReaderFuzz::fuzzerTestOneInput),
        new FuzzTarget(OrderReaderFuzz.class, OrderReaderFuzz::fuzzerTestOneInput));
  }
}
