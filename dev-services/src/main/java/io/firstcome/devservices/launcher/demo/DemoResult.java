package io.firstcome.devservices.launcher.demo;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result of a demo.
 *
 * @param durableMillis from the last "accepted" until the database had all rows, -1 if it did not
 *     get them in time
 */
public record DemoResult(
    int stock,
    int users,
    int accepted,
    int alreadyIssued,
    int soldOut,
    int errors,
    IssuedRows.Finding database,
    long durableMillis) {

  /** The differences from an exact result; empty if the run was exact. */
  public List<String> faults() {
    int expected = Math.min(stock, users);
    List<String> faults = new ArrayList<>();
    check(faults, "accepted", accepted, expected);
    check(faults, "already issued", alreadyIssued, 0);
    check(faults, "sold out", soldOut, users - expected);
    check(faults, "errors", errors, 0);
    check(faults, "rows", database.rows(), expected);
    check(faults, "distinct users", database.distinctUsers(), expected);
    check(faults, "distinct slots", database.distinctSlots(), expected);
    if (!database.slotsInRange()) {
      faults.add("a slot is outside 1 to %d".formatted(stock));
    }
    if (!database.usersAccepted()) {
      faults.add("a row belongs to a user whose claim was not accepted");
    }
    if (durableMillis < 0) {
      faults.add("the database never had all rows");
    }
    return faults;
  }

  private static void check(List<String> faults, String what, int actual, int expected) {
    if (actual != expected) {
      faults.add("%s: %d, not %d".formatted(what, actual, expected));
    }
  }

  /** The last line of the demo, for scripts. */
  public String json() {
    return JsonMapper.shared()
        .createObjectNode()
        .put("stock", stock)
        .put("users", users)
        .put("accepted", accepted)
        .put("alreadyIssued", alreadyIssued)
        .put("soldOut", soldOut)
        .put("errors", errors)
        .put("rows", database.rows())
        .put("distinctUsers", database.distinctUsers())
        .put("distinctSlots", database.distinctSlots())
        .put("durableMillis", durableMillis)
        .toString();
  }
}
