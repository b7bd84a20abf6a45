package io.firstcome.bootstrap.rest.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.application.recovery.RecoverEveryPartition;
import io.firstcome.application.recovery.RecoverEveryPartition.Outcome;
import io.firstcome.application.recovery.Recovery;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.issuance.Epoch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint with which operators recover the whole stock. */
@RestController
@RequestMapping("/api/v1/admin/stock")
class AdminStockController {

  private final RecoverEveryPartition recoverEveryPartition;

  AdminStockController(RecoverEveryPartition recoverEveryPartition) {
    this.recoverEveryPartition = recoverEveryPartition;
  }

  /**
   * What the operator states about the database.
   *
   * @param databaseWasSetBack whether the database was restored from an older backup
   */
  record RecoveryJson(@Nullable Boolean databaseWasSetBack) {}

  /** The result of the recovery for each partition. */
  record RecoveredJson(List<PartitionJson> partitions) {

    static RecoveredJson of(Map<Partition, Recovery> recoveries) {
      var partitions = new ArrayList<PartitionJson>();
      recoveries.forEach(
          (partition, recovery) -> partitions.add(PartitionJson.of(partition, recovery)));
      return new RecoveredJson(partitions);
    }
  }

  /**
   * The result of the recovery of one partition.
   *
   * @param state OPEN, ELSEWHERE if another instance is recovering it, or STOPPED
   * @param notRebuilt ids of coupons whose claims are refused although the partition is open;
   *     absent if there are none
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

  /**
   * The request waits for a second operator.
   *
   * @param until when another operator can make the same request
   */
  record WaitingJson(String state, Instant until) {}

  /**
   * Recovers every partition, one after the other, and answers when the last one is done. If the
   * database was set back, two operators must request it; the first one is answered 202.
   */
  @PostMapping("/recovery")
  ResponseEntity<Object> recover(
      @RequestBody(required = false) @Nullable RecoveryJson json, Caller caller)
      throws InterruptedException {
    boolean databaseWasSetBack = json != null && Boolean.TRUE.equals(json.databaseWasSetBack());
    var outcome =
        databaseWasSetBack
            ? recoverEveryPartition.recoverFromOlderDatabase(caller.operator())
            : recoverEveryPartition.recover(caller.operator());
    return switch (outcome) {
      case Outcome.Recovered(Map<Partition, Recovery> recoveries) ->
          ResponseEntity.ok(RecoveredJson.of(recoveries));
      case Outcome.NeedsSecondOperator(Instant until) ->
          ResponseEntity.accepted().body(new WaitingJson("NEEDS_SECOND_OPERATOR", until));
    };
  }
}
