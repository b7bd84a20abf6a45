package io.firstcome.systemtests;

import static io.firstcome.systemtests.kit.CouponRequests.aCoupon;
import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An instance that is started with another number of partitions. */
@ExtendWith(QuietLogs.class)
class PartitionsStartIT {

  private static final Duration END_LIMIT = Duration.ofSeconds(60);

  /** With so many coupons, all are in partition 0 only in one case in a billion. */
  private static final int COUPONS = 15;

  private final World world = World.get();

  @Test
  void fewer_partitions_than_the_coupons_need_are_refused_with_one_log_line() throws IOException {
    for (int i = 0; i < COUPONS; i++) {
      world.define(aCoupon());
    }
    try (ServiceProcess fewer = world.start("fewer", Map.of("FIRSTCOME_PARTITIONS", "1"))) {
      assertThat(fewer.awaitEnd(END_LIMIT)).isNotZero();
      assertThat(Files.readAllLines(fewer.logFile()))
          .filteredOn(line -> line.contains(" ERROR "))
          .singleElement()
          .asString()
          .contains("firstcome.partitions=1 refuses to start: ")
          .contains("in partitions from 1 on. Set firstcome.partitions to ");
    }
  }
}
