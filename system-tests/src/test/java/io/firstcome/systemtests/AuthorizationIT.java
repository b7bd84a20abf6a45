package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.DevIssuer;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.Users;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each operation, called by each kind of caller. */
@ExtendWith(QuietLogs.class)
class AuthorizationIT {

  /**
   * The rows of the table in {@code docs/security.md}, which another test compares with the code.
   */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([A-Z]+) (/api/[^`]*)` \\| `?([^|`]*)`? \\|$");

  private final World world = World.get();

  private record Operation(String method, String path, String needed) {

    /** A request that names nothing that exists, and does nothing if it is authorized. */
    Call call(boolean byGateway) {
      var concrete =
          path.replace("{couponId}", "NONE")
              .replace("{userCouponId}", "NONE.0123456789ABCDEF")
              .replace("{redemptionId}", "NONE.0123456789ABCDEF:order")
              .replaceAll("\\{[a-zA-Z]+}", "1");
      var call = byGateway ? Call.of(method, concrete) : Call.bare(method, concrete);
      return method.equals("POST") && !path.endsWith("/claims")
          ? call.json("{\"no such member\":1}")
          : call;
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  private static List<Operation> operations() throws IOException {
    return ROW.matcher(Files.readString(Path.of("../docs/security.md")))
        .results()
        .map(row -> new Operation(row.group(1), row.group(2), row.group(3)))
        .toList();
  }

  @Test
  void each_operation_is_refused_without_credentials() throws IOException {
    assertThat(operations())
        .hasSizeGreaterThan(30)
        .allSatisfy(operation ->
            assertThat(world.send(operation.call(false).as(Users.one())).status()).isEqualTo(401));
  }

  @Test
  void each_operation_is_open_to_the_scope_it_needs_and_to_no_other() throws IOException {
    var callers = new ArrayList<>(DevIssuer.SCOPES);
    callers.add("");
    for (var operation : operations()) {
      for (var scope : callers) {
        var status =
            world
                .send(
                    operation
                        .call(true)
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
