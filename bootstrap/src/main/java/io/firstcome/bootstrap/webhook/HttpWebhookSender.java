package io.firstcome.bootstrap.webhook;

import io.firstcome.application.webhook.WebhookLimits;
import io.firstcome.bootstrap.refusal.UnknownSettings;
import io.firstcome.domain.port.WebhookSender;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Sends messages with Apache HttpClient, which connects to the addresses that {@link CheckedNames}
 * has checked, and bounds the lines and the number of headers of an answer. Proxies, redirects,
 * cookies and retries of its own are off.
 */
@Component
final class HttpWebhookSender implements WebhookSender, AutoCloseable {

  private static final ContentType EVENTS =
      ContentType.create("application/cloudevents-batch+json", StandardCharsets.UTF_8);

  private static final int LONGEST_URL = 2_000;
  private static final int HIGHEST_PORT = 65_535;

  /** The rest of an answer is not read, and its connection is closed. */
  private static final int ANSWER_BYTES = 64 * 1024;

  /** A receiver that has other addresses than before gets its requests there after this. */
  private static final TimeValue CONNECTION_LIFE = TimeValue.ofMinutes(1);

  private static final Duration LOOK_UP_TIME = Duration.ofSeconds(5);

  /** Look-ups for operators; each can last long, and blocks a platform thread. */
  private static final int LOOK_UPS = 4;

  private static final Duration LONGEST_RETRY_AFTER = Duration.ofDays(1);

  private final boolean plainHttp;
  private final CheckedNames names;
  private final Duration requestTime;
  private final CloseableHttpClient client;
  private final ExecutorService lookUps =
      Executors.newFixedThreadPool(
          LOOK_UPS, Thread.ofPlatform().daemon().name("webhook-name-", 0).factory());

  /** Ends requests whose time is over. */
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("webhook-timer").factory());

  @Autowired
  HttpWebhookSender(WebhookProperties properties, WebhookLimits limits, Environment environment) {
    this(properties, limits, DefaultClientTlsStrategy.createDefault());
    UnknownSettings.refuse(environment, WebhookProperties.PREFIX, WebhookProperties::isKnown);
  }

  /**
   * @param tls verifies the certificates of receivers
   */
  HttpWebhookSender(WebhookProperties properties, WebhookLimits limits, TlsSocketStrategy tls) {
    plainHttp = properties.plainHttp();
    names = new CheckedNames(new CallableAddresses(properties.allowed()));
    requestTime = limits.requestTime();
    client = client(names, limits, tls);
    timer.setRemoveOnCancelPolicy(true);
  }

  private static CloseableHttpClient client(
      CheckedNames names, WebhookLimits limits, TlsSocketStrategy tls) {
    var requestTime = Timeout.of(limits.requestTime());
    // The caller bounds the requests; none waits here for another one.
    int connections = limits.endpoints() * limits.inFlight();
    var manager =
        PoolingHttpClientConnectionManagerBuilder.create()
            .setDnsResolver(names)
            .setTlsSocketStrategy(tls)
            .setMaxConnTotal(connections)
            .setMaxConnPerRoute(connections)
            .setDefaultConnectionConfig(
                ConnectionConfig.custom()
                    .setConnectTimeout(Timeout.of(limits.connectTime()))
                    .setSocketTimeout(requestTime)
                    .setTimeToLive(CONNECTION_LIFE)
                    .build())
            .build();
    return HttpClients.custom()
        .setConnectionManager(manager)
        .setDefaultRequestConfig(
            RequestConfig.custom()
                .setResponseTimeout(requestTime)
                .setConnectionRequestTimeout(requestTime)
                .setRedirectsEnabled(false)
                .setAuthenticationEnabled(false)
                .setProtocolUpgradeEnabled(false)
                .build())
        .evictExpiredConnections()
        .disableRedirectHandling()
        .disableAutomaticRetries()
        .disableCookieManagement()
        .disableAuthCaching()
        .disableContentCompression()
        .setUserAgent("Firstcome")
        .build();
  }

  @Override
  public Optional<String> fault(URI url) {
    return faultOfText(url).or(() -> faultOfHost(url.getHost()));
  }

  private Optional<String> faultOfText(URI url) {
    var scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    boolean mayBeHttp = plainHttp && scheme.equals("http");
    if (!scheme.equals("https") && !mayBeHttp) {
      return Optional.of(
          plainHttp ? "must begin with https:// or http://" : "must begin with https://");
    }
    if (url.getHost() == null) {
      return Optional.of("must name a host");
    }
    if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
      return Optional.of("must have no user and no fragment");
    }
    if (url.getPort() == 0 || url.getPort() > HIGHEST_PORT) {
      return Optional.of("must have a port of 1 to %d, or none".formatted(HIGHEST_PORT));
    }
    if (!StandardCharsets.US_ASCII.newEncoder().canEncode(url.toString())) {
      // Apache HttpClient sends "?" in place of most other characters.
      return Optional.of("must have ASCII characters only: write others as %XX of their UTF-8");
    }
    if (url.getRawPath().startsWith("//")) {
      // Apache HttpClient makes no request of it.
      return Optional.of("must have a path that does not begin with //");
    }
    return url.toString().length() > LONGEST_URL
        ? Optional.of("must have at most %,d characters".formatted(LONGEST_URL))
        : Optional.empty();
  }

  private Optional<String> faultOfHost(String host) {
    var lookUp = lookUps.submit(() -> names.resolve(host));
    try {
      var _ = lookUp.get(LOOK_UP_TIME.toMillis(), TimeUnit.MILLISECONDS);
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.of(
          e.getCause() instanceof RefusedAddressException
              ? "names a host whose address is not allowed"
              : "names a host that is not found");
    } catch (TimeoutException e) {
      lookUp.cancel(true);
      return Optional.of("names a host whose address is not found in time");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("names a host whose address is not found in time");
    }
  }

  @Override
  public Reply send(Request request) {
    var fault = faultOfText(request.url());
    if (fault.isPresent()) {
      // Settings may have changed since the webhook was added.
      return new Reply.Failed("The address " + fault.get() + ".");
    }
    var post = new HttpPost(request.url());
    post.setHeader("webhook-id", request.messageId());
    post.setHeader("webhook-timestamp", Long.toString(request.at().getEpochSecond()));
    post.setHeader("webhook-signature", String.join(" ", request.signatures()));
    post.setEntity(new StringEntity(request.body(), EVENTS));
    var isOver = new AtomicBoolean();
    var end = ending(post, isOver);
    try {
      return reply(post, request.at());
    } catch (IOException | IllegalStateException e) {
      post.cancel();
      return new Reply.Failed(reason(e, isOver.get()));
    } finally {
      end.cancel(false);
    }
  }

  private Future<?> ending(HttpPost post, AtomicBoolean isOver) {
    return timer.schedule(
        () -> {
          isOver.set(true);
          post.cancel();
        },
        requestTime.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** A response that is closed is read to its end, so a long one is cancelled. */
  private Reply reply(HttpPost post, Instant at) throws IOException {
    var response = client.executeOpen(null, post, null);
    var reply = new Reply.Answered(response.getCode(), retryAfter(response, at));
    var entity = response.getEntity();
    if (entity != null && entity.getContent().readNBytes(ANSWER_BYTES).length == ANSWER_BYTES) {
      post.cancel();
    } else {
      response.close();
    }
    return reply;
  }

  private static @Nullable Duration retryAfter(ClassicHttpResponse response, Instant now) {
    var header = response.getFirstHeader("Retry-After");
    if (header == null) {
      return null;
    }
    var wanted = parsed(header.getValue().strip(), now);
    return wanted == null || wanted.isNegative() || wanted.compareTo(LONGEST_RETRY_AFTER) > 0
        ? null
        : wanted;
  }

  private static @Nullable Duration parsed(String text, Instant now) {
    try {
      return Duration.ofSeconds(Long.parseLong(text));
    } catch (NumberFormatException e) {
      // Then it is a time.
    }
    try {
      return Duration.between(now, DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from));
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  /** Without addresses, which tell about the network, and without texts of the receiver. */
  private String reason(Exception e, boolean isOver) {
    return isOver || e instanceof InterruptedIOException
        ? "There was no answer within %d seconds.".formatted(requestTime.toSeconds())
        : switch (e) {
          case RefusedAddressException _ -> "The host has an address that is not allowed.";
          case UnknownHostException _ -> "The host is not found.";
          case SSLException _ -> "No secure connection: the certificate may be wrong.";
          case ConnectException _ -> "The receiver does not accept connections.";
          case ClientProtocolException _, MessageConstraintException _ ->
              "The answer is no valid HTTP, or its headers are too long.";
          default -> "The connection was closed before there was an answer.";
        };
  }

  /** Ends requests that are under way. */
  @Override
  public void close() {
    client.close(CloseMode.IMMEDIATE);
    timer.shutdownNow();
    lookUps.shutdownNow();
  }
}
