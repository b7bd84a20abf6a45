package io.firstcome.bootstrap.security;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpSession;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ConsoleCallersTest {

  private final AtomicBoolean isInvalid = new AtomicBoolean();

  private HttpSession session(Duration age) {
    long created = System.currentTimeMillis() - age.toMillis();
    return (HttpSession)
        Proxy.newProxyInstance(
            HttpSession.class.getClassLoader(),
            new Class<?>[] {HttpSession.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "getCreationTime" -> created;
                  case "invalidate" -> {
                    isInvalid.set(true);
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void a_session_ends_half_a_day_after_signing_in_also_if_it_is_in_use() {
    assertThat(ConsoleCallers.isOver(session(ConsoleCallers.LONGEST_SESSION.minusMinutes(1))))
        .isFalse();
    assertThat(isInvalid).isFalse();

    assertThat(ConsoleCallers.isOver(session(ConsoleCallers.LONGEST_SESSION.plusMinutes(1))))
        .isTrue();
    assertThat(isInvalid).isTrue();
    assertThat(ConsoleCallers.isOver(null)).isFalse();
  }
}
