package io.firstcome.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.devservices.service.ServiceProcess;
import io.firstcome.systemtests.kit.IssuerServer;
import io.firstcome.systemtests.kit.QuietLogs;
import io.firstcome.systemtests.kit.World;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Signing in to the console by OpenID Connect, with a separate provider. */
@Tag("slow")
@ExtendWith(QuietLogs.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleSignInIT {

  private final IssuerServer issuer = IssuerServer.start();
  private ServiceProcess service;
  private HttpClient browser = newBrowser();

  @BeforeAll
  void start() {
    service = World.ready(World.get().start("console-sign-in", issuer.consoleEnvironment()));
    issuer.registerConsole(service.url());
  }

  @AfterAll
  void stop() {
    service.close();
    issuer.close();
  }

  /** Without cookies. */
  private static HttpClient newBrowser() {
    return HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
  }

  private HttpResponse<String> get(String address, String... headers)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(service.url()).resolve(address))
            .header("Accept", "text/html");
    if (headers.length > 0) {
      request.headers(headers);
    }
    return browser.send(request.build(), BodyHandlers.ofString());
  }

  private static String location(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as("%s", answer).isEqualTo(302);
    return answer.headers().firstValue("Location").orElseThrow();
  }

  /** Where the provider sends a user back to. */
  private String callback(String user) throws IOException, InterruptedException {
    browser = newBrowser();
    assertThat(location(get("/console/ready"))).isEqualTo("/console/login");
    assertThat(get("/console/login").body()).contains("/console/oauth2/authorization/console");
    var atProvider = location(get("/console/oauth2/authorization/console"));
    return location(get(atProvider, IssuerServer.USER, user));
  }

  @Test
  void an_operator_signs_in_and_is_sent_to_where_they_were_going() throws Exception {
    var back = location(signIn("firstcome-operator"));

    // Without a scheme and a host, which a proxy may have changed.
    assertThat(back).startsWith("/console/ready");
    var page = get(back);
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("firstcome-operator").contains("New coupon");
  }

  private HttpResponse<String> signIn(String user) throws IOException, InterruptedException {
    return get(callback(user));
  }

  @Test
  void a_viewer_cannot_define_anything() throws Exception {
    var page = get(location(signIn("firstcome-viewer")));

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).doesNotContain("New coupon");
    assertThat(get("/console/new").statusCode()).isEqualTo(403);
  }

  @Test
  void a_user_without_a_role_sees_nothing() throws Exception {
    var page = get(location(signIn("visitor")));

    assertThat(page.statusCode()).isEqualTo(403);
    assertThat(page.body()).contains("Not allowed");
  }

  @Test
  void roles_that_are_no_list_are_no_roles() throws Exception {
    var page = get(location(signIn(IssuerServer.WITH_ROLES_AS_MAP)));

    assertThat(page.statusCode()).isEqualTo(403);
  }

  @Test
  void a_user_without_a_name_is_not_signed_in() throws Exception {
    assertThat(location(signIn(IssuerServer.NAMELESS))).isEqualTo("/console/login?failed");
    assertThat(location(get("/console/ready"))).isEqualTo("/console/login");
  }

  @Test
  void a_user_whose_name_cannot_be_audited_is_not_signed_in() throws Exception {
    assertThat(location(signIn("Ann Smith"))).isEqualTo("/console/login?failed");
    assertThat(location(get("/console/ready"))).isEqualTo("/console/login");
  }

  @Test
  void a_code_is_of_use_only_to_the_browser_that_has_asked_for_it() throws Exception {
    var callback = callback("firstcome-operator");
    browser = newBrowser();

    assertThat(location(get(callback))).isEqualTo("/console/login?failed");
    assertThat(location(get("/console/ready"))).isEqualTo("/console/login");
  }

  @Test
  void an_address_that_the_provider_did_not_answer_with_signs_nobody_in() throws Exception {
    var callback = callback("firstcome-operator");

    assertThat(location(get(callback.replaceFirst("state=[^&]+", "state=forged"))))
        .isEqualTo("/console/login?failed");
    assertThat(location(get("/console/ready"))).isEqualTo("/console/login");
  }
}
