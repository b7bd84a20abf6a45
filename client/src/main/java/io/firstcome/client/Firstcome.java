package io.firstcome.client;

import io.firstcome.client.api.ClaimsApi;
import io.firstcome.client.api.CouponsApi;
import io.firstcome.client.api.OperationsApi;
import io.firstcome.client.api.RoomsApi;
import io.firstcome.client.api.ShopsApi;
import io.firstcome.client.api.WalletApi;
import io.firstcome.client.http.ApiClient;
import io.firstcome.client.http.ApiException;
import io.firstcome.client.model.Problem;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

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

  /**
   * Until the headers of the answer. Longer than the service takes, unless {@code Prefer} asks it
   * to wait for longer, and except for a long proof.
   */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

  private static final int CONFLICT = 409;

  private final ApiClient api;
  private final Problems problems;
  private final Retries retries;

  private Firstcome(ApiClient api, Retries retries) {
    this.api = api;
    this.problems = new Problems(api.getObjectMapper());
    this.retries = retries;
  }

  /**
   * The service at that address, by connections that all callers of this application share.
   *
   * @param service such as {@code https://coupons.example.com}
   */
  public static Firstcome at(URI service, Credentials credentials) {
    return at(service, credentials, Connections.SHARED);
  }

  /**
   * The service at that address.
   *
   * @param http with settings of its own, such as those of TLS or a proxy; share one between all
   *     callers, since each has threads and connections
   */
  public static Firstcome at(URI service, Credentials credentials, HttpClient http) {
    return at(service, credentials, http, new Retries(RandomGenerator.getDefault()));
  }

  static Firstcome at(URI service, Credentials credentials, HttpClient http, Retries retries) {
    var api =
        new ApiClient() {
          @Override
          public HttpClient getHttpClient() {
            return http;
          }
        };
    api.updateBaseUri(service.toString().replaceFirst("/+$", ""));
    api.setReadTimeout(ANSWER_TIMEOUT);
    api.setRequestInterceptor(credentials::addTo);
    return new Firstcome(api, retries);
  }

  /** Created when first used. */
  private static final class Connections {
    static final HttpClient SHARED =
        HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
  }

  /** Calls of a customer who claims coupons, and of the pages that show them. */
  public ClaimsApi claims() {
    return new ClaimsApi(api);
  }

  /** Calls of a customer who waits in the waiting room of a coupon. */
  public RoomsApi rooms() {
    return new RoomsApi(api);
  }

  /** Calls of a customer about their user coupons. */
  public WalletApi wallet() {
    return new WalletApi(api);
  }

  /** Calls of an order service or a till. */
  public ShopsApi shops() {
    return new ShopsApi(api);
  }

  /** Calls of operators who define and change coupons. */
  public CouponsApi coupons() {
    return new CouponsApi(api);
  }

  /** Calls of operators who prove, audit, revoke and recover. */
  public OperationsApi operations() {
    return new OperationsApi(api);
  }

  /** One of the generated calls. */
  @FunctionalInterface
  public interface Call<T> {
    T send() throws ApiException;
  }

  /**
   * Claims the coupon for the caller, again until the answer is final. A repeated claim is answered
   * with the same coupon.
   *
   * @param patience how long to repeat the claim while the service cannot answer it
   * @throws RefusedException if the call is wrong: there is no such coupon, the credentials are
   *     refused, or the coupon has a waiting room
   * @throws UnansweredException if it could not be answered within that time; the customer may have
   *     the coupon, and a later claim says so
   */
  public ClaimResult claim(String couponId, Duration patience) throws InterruptedException {
    return claim(couponId, patience, null);
  }

  /**
   * Claims a coupon with a waiting room for a caller whom the room has admitted.
   *
   * @param admission of the caller's {@link io.firstcome.client.model.Standing}
   * @see #claim(String, Duration)
   */
  public ClaimResult claimAdmitted(String couponId, Duration patience, String admission)
      throws InterruptedException {
    return claim(couponId, patience, Objects.requireNonNull(admission));
  }

  private ClaimResult claim(String couponId, Duration patience, @Nullable String admission)
      throws InterruptedException {
    var claims = claims();
    try {
      return new ClaimResult.Claimed(
          repeat(patience, () -> claims.claimCoupon(couponId, null, admission)));
    } catch (RefusedException e) {
      if (!Objects.equals(e.problem().getStatus(), CONFLICT)) {
        throw e;
      }
      return new ClaimResult.Refused(e.type(), e.problem());
    }
  }

  /** The problem of a call that was sent once and was refused; see its {@code type}. */
  public Problem problemOf(ApiException failure) {
    return problems.of(failure);
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
          throw new UnansweredException(
              "no final answer after %d attempts, the last of status %d; the next would be in %d ms"
                  .formatted(failures, e.getCode(), pause.toMillis()),
              e);
        }
        Thread.sleep(pause.toMillis());
      }
    }
  }
}
