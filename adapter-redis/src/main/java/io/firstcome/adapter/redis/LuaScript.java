package io.firstcome.adapter.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The Lua scripts, each one atomic step on the server. The source is the prelude, a further file
 * with functions for some scripts, and a file with the script's name. A script can call another one
 * as a function.
 */
enum LuaScript {
  CLAIM(Flags.WRITES),
  CREATE(Flags.WRITES),
  APPLY(Flags.WRITES),
  FREEZE(Flags.WRITES),
  TERMS(Flags.READS),
  REMOVE(Flags.FREES),
  FIND(Flags.READS),
  LEDGER(Flags.READS),
  LEVEL(Flags.READS),
  RETURNED(Flags.READS),
  ADOPT(Flags.WRITES),
  LEASE(Flags.WRITES),
  LATEST_LEASE(Flags.READS),
  END_LEASE(Flags.FREES),
  PUT_FILTER(Flags.WRITES),
  FILTER(Flags.READS),
  RELEASE(Flags.WRITES),
  ERASE(Flags.FREES),
  EXPECT_PSEUDONYMS(Flags.FREES),
  FENCE(Flags.READS),
  BEGIN(Flags.WRITES),
  MARKS(Flags.READS),
  LEDGER_SIZE(Flags.READS),
  PUT_MARKS(Flags.WRITES),
  FORGET(Flags.FREES),
  RESERVE(Flags.WRITES),
  CLEAR_FREE(Flags.FREES),
  PUT_FREED(Flags.WRITES),
  ADD_FREE(Flags.WRITES),
  READY(Flags.WRITES),
  CLEAR(Flags.FREES),
  CLEARING(Flags.READS),
  OPEN(Flags.WRITES),
  REPLICATE(Flags.WRITES),
  READ_STALE(Flags.FREES),
  FORGET_READERS(Flags.FREES),
  RECORDED(Flags.FREES),
  JOIN(Flags.WRITES, "room"),
  ADVANCE(Flags.FREES, "room"),
  OPEN_ROOM(Flags.FREES, "room"),
  EXTEND_ROOM(Flags.FREES, "room"),
  LOWER_ROOM(Flags.FREES, "room"),
  FORGET_TICKET(Flags.FREES),
  USERS(Flags.READS),
  RESTORE_TICKETS(Flags.WRITES),
  CLAIM_TURNS(Flags.WRITES, CLAIM);

  /**
   * The first line of a script. A server that lacks memory or a writable disk refuses a script with
   * such a line before its first command.
   */
  private static final class Flags {
    static final String WRITES = "#!lua\n";
    static final String READS = "#!lua flags=no-writes\n";
    // Scripts that free memory must run when memory is full.
    static final String FREES = "#!lua flags=allow-oom\n";
  }

  private final String source;
  private final String sha1;

  LuaScript(String flags) {
    this(flags, "");
  }

  /**
   * @param library the name of a file with functions, or empty
   */
  LuaScript(String flags, String library) {
    var functions = library.isEmpty() ? "" : read(library);
    source = flags + read("prelude") + functions + read(fileName());
    sha1 = sha1(source);
  }

  /**
   * @param called a script that this one calls as a function of its keys and arguments
   */
  LuaScript(String flags, LuaScript called) {
    source =
        flags
            + read("prelude")
            + "local function %s(KEYS, ARGV)\n%send\n"
                .formatted(called.fileName(), read(called.fileName()))
            + read(fileName());
    sha1 = sha1(source);
  }

  private String fileName() {
    return name().toLowerCase(Locale.ROOT);
  }

  String source() {
    return source;
  }

  /** The identifier for EVALSHA: the SHA-1 of the source in hexadecimal. */
  String sha1() {
    return sha1;
  }

  private static String read(String name) {
    try (var file = LuaScript.class.getResourceAsStream(name + ".lua")) {
      if (file == null) {
        throw new IllegalStateException("no script file " + name + ".lua");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
