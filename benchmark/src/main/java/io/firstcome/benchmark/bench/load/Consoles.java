package io.firstcome.benchmark.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Browsers of operators that have the console open: each has the live page of a coupon, whose
 * stream it reads, and the pages that are renewed every two seconds.
 */
public final class Consoles implements AutoCloseable {

  private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\"[^>]* value=\"([^\"]+)\"");
  private static final Duration EVERY = Duration.ofSeconds(2);
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int OK = 200;

  private static final List<String> RENEWED =
      List.of("/console/coupons?rows=1", "/console/ready?part=1", "/console/incidents?part=1");

  private final List<HttpClient> browsers = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicLong events = new AtomicLong();
  private final AtomicLong pages = new AtomicLong();

  private Consoles() {}

  /**
   * Opens the consoles, and returns when each has its stream.
   *
   * @param url of the service
   * @param users who sign in; each opens one
   * @param password of all of them
   */
  public static Consoles open(String url, List<String> users, String password, String couponId) {
    var consoles = new Consoles();
    try {
      for (String user : users) {
        consoles.open(URI.create(url), user, password, couponId);
      }
    } catch (IOException e) {
      consoles.close();
      throw new UncheckedIOException("a console could not be opened", e);
    } catch (InterruptedException e) {
      consoles.close();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    return consoles;
  }

  private void open(URI service, String user, String password, String couponId)
      throws IOException, InterruptedException {
    var browser = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    browsers.add(browser);
    var login = service.resolve("/console/login");
    var token = TOKEN.matcher(get(browser, login));
    if (!token.find()) {
      throw new IOException("the page for signing in has no token");
    }
    var form = "username=%s&password=%s&_csrf=%s".formatted(user, password, token.group(1));
    browser.send(
        HttpRequest.newBuilder(login)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build(),
        BodyHandlers.discarding());
    var live = service.resolve("/console/coupons/" + couponId + "/live/events");
    var stream = browser.send(request(live), BodyHandlers.ofLines());
    requireOk(stream);
    threads.execute(() -> readStream(stream.body()));
    for (String page : RENEWED) {
      threads.execute(() -> renew(browser, service.resolve(page)));
    }
  }

  private void readStream(Stream<String> lines) {
    try (lines) {
      lines.filter(line -> line.startsWith("data:")).forEach(line -> events.incrementAndGet());
    } catch (UncheckedIOException e) {
      // At the end, when the client is closed; the count of events shows if it was earlier.
    }
  }

  private void renew(HttpClient browser, URI page) {
    try {
      while (true) {
        get(browser, page);
        pages.incrementAndGet();
        Thread.sleep(EVERY);
      }
    } catch (IOException e) {
      // The count of pages shows that it ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static HttpRequest request(URI address) {
    return HttpRequest.newBuilder(address).header("HX-Request", "true").timeout(LIMIT).build();
  }

  private static String get(HttpClient browser, URI address)
      throws IOException, InterruptedException {
    var answer = browser.send(request(address), BodyHandlers.ofString());
    requireOk(answer);
    return answer.body();
  }

  private static void requireOk(HttpResponse<?> answer) throws IOException {
    if (answer.statusCode() != OK) {
      throw new IOException("the console answered " + answer);
    }
  }

  /**
   * Checks that all of them were renewed for that long.
   *
   * @throws IllegalStateException if less than half of what is expected has arrived
   */
  public void requireRenewed(Duration time) {
    long seconds = time.toSeconds();
    long expectedEvents = browsers.size() * seconds / 2;
    long expectedPages = seconds * browsers.size() * RENEWED.size() / EVERY.toSeconds() / 2;
    if (events.get() < expectedEvents || pages.get() < expectedPages) {
      throw new IllegalStateException(
          "only %d events and %d pages in %s".formatted(events.get(), pages.get(), time));
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    browsers.forEach(HttpClient::shutdownNow);
  }
}
