package io.firstcome.systemtests.kit;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * What a browser has that shows the console.
 *
 * @param cookies all of them
 * @param token against forged requests, as a form has it
 */
public record ConsoleVisitor(String cookies, String token) {

  private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\"[^>]* value=\"([^\"]+)\"");
  private static final String CSRF = "firstcome-console-csrf";
  private static final String SESSION = "firstcome-console";

  /** Somebody who has opened the page for signing in. */
  public static ConsoleVisitor of(Deployment deployment) {
    var page = deployment.send(Call.bare("GET", "/console/login"));
    return of(page, cookie(page, CSRF));
  }

  /** A user of that name, who has signed in. */
  public static ConsoleVisitor signedIn(Deployment deployment, String name) {
    var visitor = of(deployment);
    var answer =
        deployment.send(visitor.post("/console/login", "username=" + name + "&password=local"));
    if (!answer.header("location").endsWith("/console")) {
      throw new IllegalStateException("not signed in: " + answer);
    }
    var session = cookie(answer, SESSION);
    var page = deployment.send(Call.bare("GET", "/console/coupons").header("Cookie: " + session));
    return of(page, session + "; " + cookie(page, CSRF));
  }

  private static ConsoleVisitor of(Answer page, String cookies) {
    var token = TOKEN.matcher(page.body());
    if (!token.find()) {
      throw new IllegalStateException("no token in " + page);
    }
    return new ConsoleVisitor(cookies, token.group(1));
  }

  private static String cookie(Answer answer, String name) {
    var found = Pattern.compile(name + "=[^;, ]+").matcher(answer.header("set-cookie"));
    if (!found.find()) {
      throw new IllegalStateException("no cookie %s in %s".formatted(name, answer));
    }
    return found.group();
  }

  /** A form without a token. */
  public static Call form(String path, String content) {
    return Call.bare("POST", path)
        .header("Content-Type: application/x-www-form-urlencoded")
        .content(content.getBytes(StandardCharsets.UTF_8));
  }

  public Call post(String path, String content) {
    return form(path, content + "&_csrf=" + token).header("Cookie: " + cookies);
  }

  public Call get(String path) {
    return Call.bare("GET", path).header("Cookie: " + cookies).header("Accept: text/html");
  }
}
