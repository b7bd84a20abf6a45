package io.firstcome.client;

import io.firstcome.client.api.ClaimsApi;
import io.firstcome.client.api.CouponsApi;
import io.firstcome.client.api.OperationsApi;
import io.firstcome.client.api.ShopsApi;
import io.firstcome.client.api.WalletApi;
import io.firstcome.client.http.ApiClient;
import io.firstcome.client.http.ApiException;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * One caller's access to a Firstcome service. It is safe for concurrent use.
 *
 * <pre>{@code
 * var ann = Firstcome.at(service, Credentials.token(() -> token));
 * var result = ann.claim("SUMMER", Duration.ofSeconds(30));
 * if (result instanceof ClaimResult.Claimed claimed) {
 *   show(claimed.claim().getCode());
 * }
 * }</pre>
 *
 * <p>The generated calls ({@link #wallet}, {@link #shops} and so on) are sent once. {@link #repeat}
 * sends one until its answer is final: every call can be repeated without a second effect, as long
 * as nobody else changes the same thing, except a redemption after its cancellation.
 */
public final class Firstcome {

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  /** Longer than the service takes, unless it is asked to wait for longer by {@code Prefer}. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

  private static final int CONFLICT = 409;

  private final ApiClient http;
  private final Problems problems;
  private final Retries retries;

  private Firstcome(ApiClient http, Retries retries) {
    this.http = http;
    this.problems = new Problems(http.getObjectMapper());
    this.retries = retries;
  }

  /**
   * The service at that address.
   *
   * @param service such as {@code https://coupons.example.com}; without a path
   */
  public static Firstcome at(URI service, Credentials credentials) {
    return at(service, credentials, new Retries(RandomGenerator.getDefault()));
  }

  static Firstcome at(URI service, Credentials credentials, Retries retries) {
    var http = new ApiClient();
    http.updateBaseUri(service.toString());
    http.setConnectTimeout(CONNECT_TIMEOUT);
    http.setReadTimeout(ANSWER_TIMEOUT);
    http.setRequestInterceptor(credentials::addTo);
    return new Firstcome(http, retries);
  }

  /** Calls of a customer who claims coupons, and of the pages that show them. */
  public ClaimsApi claims() {
    return new ClaimsApi(http);
  }

  /** Calls of a customer about their user coupons. */
  public WalletApi wallet() {
    return new WalletApi(http);
  }

  /** Calls of an order service or a till. */
  public ShopsApi shops() {
    return new ShopsApi(http);
  }

  /** Calls of operators who define and change coupons. */
  public CouponsApi coupons() {
    return new CouponsApi(http);
  }

  /** Calls of operators who prove, audit, revoke and recover. */
  public OperationsApi operations() {
    return new OperationsApi(http);
  }

  /** One of the generated calls. */
  @FunctionalInterface
  public interface Call<T> {
    T send() throws ApiException;
  }

  /**
   * Claims the coupon for the caller, again until the answer is final. Whoever is answered {@link
   * ClaimResult.Claimed} has the coupon for good.
   *
   * @param patience how long to repeat the claim while the service cannot answer it
   * @throws RefusedException if the call is wrong: there is no such coupon, or the credentials are
   *     refused
   * @throws UnansweredException if it could not be answered within that time; the customer may have
   *     the coupon, and a later claim says so
   */
  public ClaimResult claim(String couponId, Duration patience) throws InterruptedException {
    var api = claims();
    try {
      return new ClaimResult.Claimed(repeat(patience, () -> api.claimCoupon(couponId, null)));
    } catch (RefusedException e) {
      if (!Objects.equals(e.problem().getStatus(), CONFLICT)) {
        throw e;
      }
      return new ClaimResult.Refused(e.type(), e.problem());
    }
  }

  /**
   * Sends a call until its answer is final.
   *
   * @param patience how long to repeat it while the service cannot answer it; at least one attempt
   *     is made
   * @throws RefusedException if the service refuses it
   * @throws UnansweredException if it could not be answered within that time
   */
  public <T> T repeat(Duration patience, Call<T> call) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    for (int failures = 1; ; failures++) {
      try {
        return call.send();
      } catch (ApiException e) {
        if (e.getCause() instanceof InterruptedException interrupted) {
          throw interrupted;
        }
        var problem = problems.of(e);
        if (!retries.isOfUse(e, problem)) {
          throw new RefusedException(problem, e);
        }
        var pause = retries.pause(e, failures);
        if (System.nanoTime() + pause.toNanos() - end > 0) {
          throw new UnansweredException("no final answer after %d attempts".formatted(failures), e);
        }
        Thread.sleep(pause.toMillis());
      }
    }
  }
}
