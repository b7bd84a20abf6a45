package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.systemtests.kit.Answer;
import io.firstcome.systemtests.kit.Call;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.World;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the console answers to requests that no browser sends. */
@ExtendWith(QuietLogs.class)
class ConsoleIT {

  private final World world = World.get();

  private static Call form(String content) {
    return form("/console/login", content);
  }

  private static Call form(String path, String content) {
    return Call.bare("POST", path)
        .header("Content-Type: application/x-www-form-urlencoded")
        .content(content.getBytes(StandardCharsets.UTF_8));
  }

  private int status(Call call) {
    return world.send(call).status();
  }

  @Test
  void headers_of_a_gateway_do_not_sign_anybody_in() {
    Answer answer = world.send(Call.get("/console/coupons").operator());

    assertThat(answer.status()).isEqualTo(302);
    assertThat(answer.header("location")).endsWith("/console/login");
    assertThat(answer.header("set-cookie")).doesNotContain("firstcome-console=");
  }

  @Test
  void a_form_without_its_token_or_that_cannot_be_read_is_refused() {
    assertThat(status(form("username=operator&password=local"))).isEqualTo(403);
    assertThat(status(form("%zz=1"))).isEqualTo(400);
    assertThat(status(form("/c%6Fnsole/login", "%zz=1"))).isEqualTo(400);
    assertThat(status(form("a=" + "a".repeat(70_000)))).isEqualTo(413);
    assertThat(status(Call.bare("POST", "/console/coupons/ANY/pause").operator())).isEqualTo(403);
  }

  @Test
  void an_address_can_try_twenty_passwords_a_minute_however_the_path_is_written() {
    var statuses = new ArrayList<Integer>();
    for (int i = 0; i < 12; i++) {
      for (var path : List.of("/console/login", "/console/%6Cogin")) {
        statuses.add(status(form(path, "a=b").header("X-Forwarded-For: 198.51.100.27")));
      }
    }

    assertThat(statuses.subList(0, 20)).containsOnly(403);
    assertThat(statuses.subList(21, 24)).containsOnly(429);
  }

  @Test
  void a_visitor_gets_no_session() {
    Answer answer = world.send(Call.bare("GET", "/console/login"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("set-cookie")).startsWith("firstcome-console-csrf=");
    assertThat(answer.header("content-security-policy")).contains("script-src 'self'");
  }

  @Test
  void a_file_that_does_not_exist_is_not_found() {
    assertThat(status(Call.bare("GET", "/console/assets/nothing.js"))).isEqualTo(404);
    assertThat(status(Call.bare("GET", "/console/assets/console.js"))).isEqualTo(200);
  }
}
