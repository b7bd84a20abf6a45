package io.firstcome.bootstrap.rest.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreferencesTest {

  @Test
  void the_wait_is_read_among_other_preferences() {
    assertThat(wait("wait=5")).hasSeconds(5);
    assertThat(wait("respond-async, wait=10")).hasSeconds(10);
    assertThat(wait("respond-async", "WAIT = \"7\"; foo=bar")).hasSeconds(7);
    assertThat(wait("wait=3, wait=9")).hasSeconds(3);
  }

  @Test
  void a_wait_is_limited_to_the_longest_wait() {
    assertThat(wait("wait=999999999")).isEqualTo(Preferences.LONGEST_WAIT);
  }

  @Test
  void a_call_can_have_its_own_default_wait() {
    var usual = Duration.ofSeconds(10);
    var longest = Duration.ofSeconds(20);

    assertThat(Preferences.waitTime(List.of(), usual, longest)).isEqualTo(usual);
    assertThat(Preferences.waitTime(List.of("respond-async"), usual, longest)).isEqualTo(usual);
    assertThat(Preferences.waitTime(List.of("wait=0"), usual, longest)).isZero();
    assertThat(Preferences.waitTime(List.of("wait=25"), usual, longest)).isEqualTo(longest);
  }

  @Test
  void unknown_and_invalid_preferences_are_ignored() {
    assertThat(Preferences.waitTime(List.of())).isZero();
    for (var header :
        new String[] {
          "", "wait", "wait=", "wait=-1", "wait=soon", "await=5", "wait=5x", "wait=99999999999"
        }) {
      assertThat(wait(header)).as(header).isZero();
    }
  }

  private static Duration wait(String... headers) {
    return Preferences.waitTime(List.of(headers));
  }
}
