package io.firstcome.devservices.launcher.demo;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result of a demo without a waiting room.
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
    long durableMillis)
    implements Result {

  @Override
  public List<String> faults() {
    int expected = Math.min(stock, users);
    List<String> faults = new ArrayList<>();
    Difference.add(faults, "accepted", accepted, expected);
    Difference.add(faults, "already issued", alreadyIssued, 0);
    Difference.add(faults, "sold out", soldOut, users - expected);
    Difference.add(faults, "errors", errors, 0);
    faults.addAll(database.faults(stock, expected));
    if (durableMillis < 0) {
      faults.add("the database never had all rows");
    }
    return faults;
  }

  @Override
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
