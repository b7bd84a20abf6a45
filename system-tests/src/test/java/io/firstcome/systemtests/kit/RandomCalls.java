package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests that are almost right: a valid request of an operation with random changes of its
 * method, path, query, headers and body. The framing stays valid HTTP/1.1.
 */
public final class RandomCalls {

  private static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW");

  private static final List<String> SEGMENTS =
      List.of(
          "",
          ".",
          "..",
          "%2e%2e",
          "%00",
          "%0d%0a",
          "%C1%81",
          "%F0%28%8C%28",
          "%zz",
          "a;b=c",
          "A'%20OR%201=1--",
          "%F0%9F%92%A9",
          "-1",
          "0",
          "99999999999999999999",
          "A".repeat(3_000));

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "1.5",
          "1e400",
          "9223372036854775808",
          "\"\"",
          "\" \"",
          "\"\\u0000\"",
          "\"\\ud83d\"",
          "\"\\u202e\"",
          "\"2026-02-30T25:00:00Z\"",
          "\"PT-1S\"",
          "\"P999999999Y\"",
          "[]",
          "{}",
          "[null]",
          "{\"\":{}}",
          "\"" + "x".repeat(2_000) + "\"");

  private static final List<String> HEADERS =
      List.of(
          "Prefer: wait=-1",
          "Prefer: wait=99999999999999999999",
          "Prefer: wait",
          "Prefer: ;;,=,\"",
          "Accept: text/html",
          "Accept: ;",
          "Accept-Language: \u00e4",
          "Content-Encoding: gzip",
          "Expect: 100-continue",
          "Range: bytes=0-1",
          "If-Match: \"x\"",
          "X-Scopes: a a",
          "X-Scopes: \u00e4",
          "X-Shop-Id: a/b",
          "X-Forwarded-For: ,,;\"",
          "X-HTTP-Method-Override: DELETE",
          "Authorization: Bearer a.b.c",
          "Authorization: Basic YTpi",
          "Origin: https://example.com",
          "Cookie: a=b; =;;",
          "Upgrade: h2c",
          "X-Long: " + "x".repeat(4_000));

  private static final List<String> QUERIES =
      List.of(
          "?",
          "?limit=0",
          "?limit=x",
          "?limit=99999999999999999999",
          "?limit=1&limit=2",
          "?after=",
          "?after=%00",
          "?after=1:x",
          "?after=" + "9".repeat(40),
          "?orderId=",
          "?orderId=%F0%28",
          "?state=&a=b&=c",
          "?%zz",
          "?" + "a=b&".repeat(400));

  private static final List<String> TYPES =
      List.of(
          "application/json",
          "application/json;charset=utf-16",
          "application/xml",
          "multipart/form-data; boundary=x",
          "application/x-www-form-urlencoded",
          ";",
          "*/*");

  private static final Pattern VARIABLE = Pattern.compile("\\{([a-zA-Z]+)}");
  private static final Pattern JSON_VALUE =
      Pattern.compile("(?<=:)(\"[^\"]*\"|-?[0-9.]+|true|false|null)");

  private static final String MONEY = "{\"minorUnits\":3000,\"currency\":\"EUR\"}";

  private static final Map<String, String> BODIES =
      Map.ofEntries(
          Map.entry("quotes", "{\"amount\":" + MONEY + "}"),
          Map.entry("quantity", "{\"totalQuantity\":200}"),
          Map.entry("revocation", "{\"reason\":\"stolen\"}"),
          Map.entry("cancellation", "{\"reason\":\"out of stock\"}"),
          Map.entry("recovery", "{\"databaseWasSetBack\":false}"),
          Map.entry(
              "redemptions",
              "{\"userCouponId\":\"%s\",\"orderId\":\"o\",\"amount\":%s,\"hold\":\"PT10M\"}"
                  .formatted("NONE.0123456789ABCDEF", MONEY)));

  private final RandomGenerator random;
  private final Map<String, String> variables;
  private final String definition;

  /**
   * @param variables the values of path variables that name something that exists
   * @param definition of a coupon, valid
   */
  public RandomCalls(RandomGenerator random, Map<String, String> variables, String definition) {
    this.random = random;
    this.variables = Map.copyOf(variables);
    this.definition = definition;
  }

  /** A request that is based on the operation. */
  public Call of(Operation operation) {
    String method = oneIn(12) ? oneOf(METHODS) : operation.method();
    String path =
        VARIABLE.matcher(operation.path()).replaceAll(this::segment)
            + (oneIn(4) ? oneOf(QUERIES) : "");
    Call call = oneIn(30) ? Call.bare(method, path) : Call.of(method, path);
    call = oneIn(12) ? call : call.as("user-" + random.nextInt(20)).shop();
    call = operation.path().contains("/admin/") ? call.operator() : call;
    while (oneIn(3)) {
      call = call.header(oneOf(HEADERS));
    }
    boolean hasBody = operation.method().equals("POST") && !operation.path().endsWith("/claims");
    if (hasBody || oneIn(10)) {
      call = oneIn(10) ? call.header("Content-Type: " + oneOf(TYPES)) : call.json(new byte[0]);
      call = call.content(body(operation));
    }
    return call;
  }

  private String segment(MatchResult variable) {
    String value = oneIn(2) ? oneOf(SEGMENTS) : variables.getOrDefault(variable.group(1), "1");
    return Matcher.quoteReplacement(value);
  }

  private byte[] body(Operation operation) {
    String valid = validBody(operation.path());
    return switch (random.nextInt(8)) {
      case 0 -> oneOf(VALUES).getBytes(UTF_8);
      case 1 -> valid.replaceFirst("\\{", "{\"unknown\":1,").getBytes(UTF_8);
      case 2 -> valid.replaceFirst("\\{(\"[^\"]*\")", "{$1:1,$1").getBytes(UTF_8);
      case 3 -> valid.getBytes(UTF_16);
      case 4 -> valid.replaceFirst("\"[a-zA-Z]+\":[^,}]*,?", "").getBytes(UTF_8);
      case 5 -> damaged(valid.getBytes(UTF_8));
      default -> withOtherValue(valid).getBytes(UTF_8);
    };
  }

  private String validBody(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return name.equals("coupons") ? definition : BODIES.getOrDefault(name, "{\"a\":1}");
  }

  private String withOtherValue(String json) {
    var values = JSON_VALUE.matcher(json).results().toList();
    if (values.isEmpty()) {
      return json;
    }
    var value = values.get(random.nextInt(values.size()));
    return json.substring(0, value.start()) + oneOf(VALUES) + json.substring(value.end());
  }

  private byte[] damaged(byte[] bytes) {
    byte[] damaged = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
    return damaged;
  }

  private boolean oneIn(int number) {
    return random.nextInt(number) == 0;
  }

  private <T> T oneOf(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
