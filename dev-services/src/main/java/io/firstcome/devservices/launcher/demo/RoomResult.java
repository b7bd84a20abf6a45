package io.firstcome.devservices.launcher.demo;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result of a demo with a waiting room.
 *
 * @param winners users who have the coupon
 * @param outOfOrder winners whose slot is not the number of their ticket
 * @param tooLate users who know that no slot is left for them
 */
public record RoomResult(
    int stock,
    int users,
    int winners,
    int outOfOrder,
    int tooLate,
    int errors,
    IssuedRows.Finding database)
    implements Result {

  @Override
  public List<String> faults() {
    int expected = Math.min(stock, users);
    List<String> faults = new ArrayList<>(database.faults(stock, expected));
    Difference.add(faults, "winners", winners, expected);
    Difference.add(faults, "out of order", outOfOrder, 0);
    Difference.add(faults, "too late", tooLate, users - expected);
    Difference.add(faults, "errors", errors, 0);
    return faults;
  }

  @Override
  public String json() {
    return JsonMapper.shared()
        .createObjectNode()
        .put("stock", stock)
        .put("users", users)
        .put("winners", winners)
        .put("outOfOrder", outOfOrder)
        .put("tooLate", tooLate)
        .put("errors", errors)
        .put("rows", database.rows())
        .put("distinctUsers", database.distinctUsers())
        .put("distinctSlots", database.distinctSlots())
        .toString();
  }
}
