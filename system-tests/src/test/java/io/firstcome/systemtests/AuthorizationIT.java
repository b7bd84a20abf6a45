package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.DevIssuer;
import io.firstcome.systemtests.kit.ApiDescription;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.Operation;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each operation, called by each kind of caller. */
@ExtendWith(QuietLogs.class)
class AuthorizationIT {

  private final World world = World.get();

  /** A request that names nothing that exists, and does nothing if it is authorized. */
  private static Call call(Operation operation, boolean byGateway) {
    var path =
        operation
            .path()
            .replace("{couponId}", "NONE")
            .replace("{userCouponId}", "NONE.0123456789ABCDEF")
            .replace("{redemptionId}", "NONE.0123456789ABCDEF:order")
            .replaceAll("\\{[a-zA-Z]+}", "1");
    var method = operation.method();
    var call = byGateway ? Call.of(method, path) : Call.bare(method, path);
    return method.equals("POST") && !path.endsWith("/claims")
        ? call.json("{\"no such member\":1}")
        : call;
  }

  @Test
  void each_operation_is_refused_without_credentials() {
    assertThat(ApiDescription.operations())
        .hasSizeGreaterThan(30)
        .allSatisfy(operation ->
            assertThat(world.send(call(operation, false).as(Users.one())).status()).isEqualTo(401));
  }

  @Test
  void each_operation_is_open_to_the_scope_it_needs_and_to_no_other() {
    var callers = new ArrayList<>(DevIssuer.SCOPES);
    callers.add("");
    for (var operation : ApiDescription.operations()) {
      for (var scope : callers) {
        var status =
            world
                .send(
                    call(operation, true)
                        .as(Users.one())
                        .header("X-Shop-Id: berlin")
                        .header("X-Scopes: " + scope))
                .status();
        var isOpen = operation.needed().equals("any user") || operation.needed().equals(scope);
        assertThat(status == 403)
            .as("%s with '%s': %d", operation, scope, status)
            .isNotEqualTo(isOpen);
        assertThat(status).as("%s with '%s'", operation, scope).isNotIn(401, 500);
      }
    }
  }
}
