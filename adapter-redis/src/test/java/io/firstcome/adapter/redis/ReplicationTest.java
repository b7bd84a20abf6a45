package io.firstcome.adapter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Parsing a master's reply to {@code INFO replication}. */
class ReplicationTest {

  private static final String INFO =
      """
      # Replication
      role:master
      connected_slaves:2
      slave0:ip=10.0.0.1,port=6379,state=online,offset=1200,lag=0
      slave1:ip=fd00::2,port=6380,state=wait_bgsave,offset=0,lag=7
      master_replid:8371b4fb1155b71f4a04d3e1bc3e18c4a990aeeb
      master_repl_offset:1234
      """
          .replace("\n", "\r\n");

  private final Replication replication = Replication.parse(INFO);

  @Test
  void replicas_are_parsed_with_their_address_offset_and_lag() {
    assertThat(replication.offset()).isEqualTo(1234);
    assertThat(replication.attached()).containsExactlyInAnyOrder("10.0.0.1:6379", "fd00::2:6380");
    assertThat(replication.has("10.0.0.1:6379", 1200)).isTrue();
    assertThat(replication.has("10.0.0.1:6379", 1201)).isFalse();
    assertThat(replication.has("10.0.0.9:6379", 1)).isFalse();
    assertThat(replication.replicas())
        .extractingByKey("fd00::2:6380")
        .extracting(Replication.Replica::silent)
        .isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void a_replica_in_its_first_synchronization_has_nothing() {
    assertThat(replication.isOnline("fd00::2:6380")).isFalse();
    assertThat(replication.has("fd00::2:6380", 0)).isFalse();
    assertThat(replication.countOf(0)).isEqualTo(1);
  }

  @Test
  void a_client_that_only_reads_the_stream_is_no_replica() {
    var backup = INFO.replace("port=6379", "port=0");

    assertThat(Replication.parse(backup).attached()).containsExactly("fd00::2:6380");
  }

  @Test
  void a_server_without_replicas_has_none() {
    assertThat(Replication.parse("role:master\r\nmaster_repl_offset:0\r\n").attached()).isEmpty();
  }
}
