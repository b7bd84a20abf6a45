package io.firstcome.bootstrap.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.application.RecoverEveryPartition;
import io.firstcome.application.Recovery;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What operators do with the stock as a whole. */
@RestController
@RequestMapping("/api/v1/admin/stock")
class AdminStockController {

  private final RecoverEveryPartition recoverEveryPartition;

  AdminStockController(RecoverEveryPartition recoverEveryPartition) {
    this.recoverEveryPartition = recoverEveryPartition;
  }

  /**
   * What an operator knows.
   *
   * @param databaseWasSetBack that the database was restored from an older backup
   */
  record RecoveryJson(@Nullable Boolean databaseWasSetBack) {}

  /** What came of it, for each partition. */
  record RecoveredJson(List<PartitionJson> partitions) {}

  /**
   * What came of it for one partition.
   *
   * @param state OPEN, ELSEWHERE where another instance is at it, or STOPPED
   * @param notRebuilt ids of coupons whose claims are refused although the partition is open; left
   *     out where there are none
   */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record PartitionJson(
      int partition,
      String state,
      @Nullable Long epoch,
      @Nullable String reason,
      List<String> notRebuilt) {

    static PartitionJson of(Partition partition, Recovery recovery) {
      int number = partition.number();
      return switch (recovery) {
        case Recovery.Open(Epoch epoch, List<CouponId> notRebuilt) ->
            new PartitionJson(
                number,
                "OPEN",
                epoch.number(),
                null,
                notRebuilt.stream().map(CouponId::value).toList());
        case Recovery.Elsewhere() -> new PartitionJson(number, "ELSEWHERE", null, null, List.of());
        case Recovery.Stopped(String reason) ->
            new PartitionJson(number, "STOPPED", null, reason, List.of());
      };
    }
  }

  /** Recovers every partition, one after the other, and answers when the last one is done. */
  @PostMapping("/recovery")
  RecoveredJson recover(@RequestBody(required = false) @Nullable RecoveryJson json, Caller caller)
      throws InterruptedException {
    boolean databaseWasSetBack = json != null && Boolean.TRUE.equals(json.databaseWasSetBack());
    var partitions = new ArrayList<PartitionJson>();
    recoverEveryPartition
        .recover(databaseWasSetBack, caller.operator())
        .forEach((partition, recovery) -> partitions.add(PartitionJson.of(partition, recovery)));
    return new RecoveredJson(partitions);
  }
}
