package io.firstcome.benchmark.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class StreamInfoTest {

  @Test
  void the_number_follows_its_name() {
    assertThat(StreamInfo.entriesAdded("length\n3\nentries-added\n12345\ngroups\n1"))
        .isEqualTo(12_345);
    assertThatIllegalStateException()
        .isThrownBy(() -> StreamInfo.entriesAdded("length\n3\nentries-added"));
  }
}
