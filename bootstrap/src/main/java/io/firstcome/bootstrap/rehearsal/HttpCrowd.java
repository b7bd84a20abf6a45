package io.firstcome.bootstrap.rehearsal;

import io.firstcome.application.rehearsal.Crowd;
import io.firstcome.bootstrap.connector.OwnAddress;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rehearsal.Answers.Outcome;
import io.firstcome.bootstrap.security.OwnGateway;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.StockServer;
import io.firstcome.domain.rehearsal.CrowdResult;
import io.firstcome.domain.rehearsal.RehearsalPlan;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends claims to this instance over HTTP, as a gateway does: over a limited number of connections,
 * each with one request at a time. A claim that is not decided is sent again, as clients do.
 *
 * <p>Its threads are platform threads, whose processor time can be measured.
 */
final class HttpCrowd implements Crowd {

  private static final int CONNECTIONS = 256;
  private static final int CLIENT_THREADS = 2;
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  /** As long as a customer would wait in vain. */
  private static final Duration TRY_FOR = Duration.ofSeconds(60);

  /** After the last user was due; those who have not claimed by then count as failed. */
  private static final Duration CROWD_ENDS_AFTER = Duration.ofMinutes(10);

  private static final Duration TRY_AGAIN_AFTER = Duration.ofSeconds(1);
  private static final Duration REPORT_EVERY = Duration.ofMillis(100);
  private static final Duration LOOK_WHETHER_STOPPED_EVERY = Duration.ofSeconds(1);
  private static final String SOLD_OUT = ProblemType.SOLD_OUT.uri().toString();
  private static final int SUCCESS = 2;
  private static final int FAILURE = 5;
  private static final int CLASS_OF_STATUS = 100;

  private final OwnAddress address;
  private final OwnGateway gateway;
  private final @Nullable StockServer stock;

  HttpCrowd(OwnAddress address, OwnGateway gateway, @Nullable StockServer stock) {
    this.address = address;
    this.gateway = gateway;
    this.stock = stock;
  }

  @Override
  public String obstacle() {
    if (!gateway.isPossible()) {
      return "Synthetic users are authenticated by a secret of the gateway, and none is set.";
    }
    return address.hasTls()
        ? "This instance listens with TLS, and may not trust its own certificate."
        : "";
  }

  @Override
  public CrowdResult claim(RehearsalPlan plan, CouponId cloneId, IntPredicate goesOn)
      throws InterruptedException {
    Collection<Thread> threads = new ConcurrentLinkedQueue<>();
    ThreadFactory factory =
        task -> {
          var thread = Thread.ofPlatform().name("rehearsal").daemon().unstarted(task);
          threads.add(thread);
          return thread;
        };
    try (var client = Executors.newFixedThreadPool(CLIENT_THREADS, factory);
        var http = client(client)) {
      threads.addAll(selectorsOfClients());
      var load = new MachineLoad(threads, stock);
      var measuring = Thread.ofPlatform().name("rehearsal load").daemon().start(load);
      var users = new Users(plan, cloneId, address.of(pathOf(cloneId)), gateway, http);
      var senders = Executors.newFixedThreadPool(CONNECTIONS, factory);
      try {
        for (int i = 0; i < Math.min(CONNECTIONS, plan.users()); i++) {
          senders.execute(users);
        }
        senders.shutdown();
        while (!senders.awaitTermination(REPORT_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
          if (!goesOn.test(users.answers.count()) || users.areLate()) {
            users.isStopped.set(true);
          }
        }
      } finally {
        // After an interrupt of this thread the senders still run.
        users.isStopped.set(true);
        senders.shutdownNow();
        measuring.interrupt();
        measuring.join();
      }
      return users.answers.result(load);
    }
  }

  private static String pathOf(CouponId cloneId) {
    return "/api/v1/coupons/%s/claims".formatted(cloneId);
  }

  private static HttpClient client(ExecutorService executor) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .executor(executor)
        // The requests contain a secret.
        .proxy(HttpClient.Builder.NO_PROXY)
        .build();
  }

  /** The library does not say which thread it selects with; another client's is nearly idle. */
  private static Collection<Thread> selectorsOfClients() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().endsWith("SelectorManager"))
        .toList();
  }

  /** What each thread does: takes the next user, waits until it is their turn, and claims. */
  private static final class Users implements Runnable {

    private final RehearsalPlan plan;
    private final CouponId cloneId;
    private final URI claims;
    private final OwnGateway gateway;
    private final HttpClient http;
    private final long begun = System.nanoTime();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicBoolean isStopped = new AtomicBoolean();
    private final Answers answers;

    Users(RehearsalPlan plan, CouponId cloneId, URI claims, OwnGateway gateway, HttpClient http) {
      this.plan = plan;
      this.cloneId = cloneId;
      this.claims = claims;
      this.gateway = gateway;
      this.http = http;
      this.answers = new Answers(plan.users(), plan.quantity());
    }

    boolean areLate() {
      return System.nanoTime() - begun > plan.arrival().duration().plus(CROWD_ENDS_AFTER).toNanos();
    }

    @Override
    public void run() {
      try {
        for (int user = next.getAndIncrement();
            user < plan.users() && !isStopped.get();
            user = next.getAndIncrement()) {
          awaitUntil(begun + plan.arrival().dueAt(user, plan.users()).toNanos());
          if (!isStopped.get()) {
            claim(user);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void awaitUntil(long nanos) throws InterruptedException {
      long left = nanos - System.nanoTime();
      while (left > 0 && !isStopped.get()) {
        LockSupport.parkNanos(Math.min(left, LOOK_WHETHER_STOPPED_EVERY.toNanos()));
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        left = nanos - System.nanoTime();
      }
    }

    private void claim(int user) throws InterruptedException {
      var request =
          HttpRequest.newBuilder(claims)
              .timeout(ANSWER_WITHIN)
              .POST(HttpRequest.BodyPublishers.noBody());
      // The id of the clone cannot be guessed, and so no customer has such an id.
      gateway.headers(new UserId(cloneId + "-" + user)).forEach(request::header);
      var claim = request.build();
      long sent = System.nanoTime();
      var outcome = attempt(claim);
      while (outcome == Outcome.FAILED
          && !isStopped.get()
          && System.nanoTime() - sent < TRY_FOR.toNanos()) {
        Thread.sleep(TRY_AGAIN_AFTER);
        outcome = attempt(claim);
      }
      if (outcome != Outcome.FAILED) {
        answers.add(outcome, System.nanoTime() - sent);
      }
    }

    /** An answer that does not decide the claim is a failure. */
    private Outcome attempt(HttpRequest claim) throws InterruptedException {
      try {
        var answer = http.send(claim, HttpResponse.BodyHandlers.ofString());
        return switch (answer.statusCode() / CLASS_OF_STATUS) {
          case SUCCESS -> Outcome.ACCEPTED;
          case FAILURE -> Outcome.FAILED;
          default -> answer.body().contains(SOLD_OUT) ? Outcome.SOLD_OUT : Outcome.REFUSED;
        };
      } catch (IOException e) {
        return Outcome.FAILED;
      }
    }
  }
}
