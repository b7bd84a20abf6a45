package io.firstcome.adapter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule for the user of the service allows every command of its scripts. */
class RedisUsersTest {

  private static final Path RULES = Path.of("..", "deploy", "redis-users.acl");
  private static final Pattern COMMAND = Pattern.compile("redis\\.p?call\\('([A-Z]+)'");

  @ParameterizedTest
  @EnumSource(LuaScript.class)
  void every_command_of_a_script_is_allowed(LuaScript script) throws IOException {
    var allowed = Set.of(Files.readString(RULES).strip().split(" "));
    var called =
        COMMAND
            .matcher(script.source())
            .results()
            .map(call -> "+" + call.group(1).toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());

    assertThat(called).isNotEmpty();
    assertThat(allowed.stream().map(RedisUsersTest::wholeCommand).collect(Collectors.toSet()))
        .containsAll(called);
  }

  /** Of {@code +config|get} the command, which is allowed in part. */
  private static String wholeCommand(String rule) {
    int part = rule.indexOf('|');
    return part < 0 ? rule : rule.substring(0, part);
  }
}
