package io.firstcome.bootstrap.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/**
 * A technology that only some packages may use.
 *
 * @param homes the packages below the root that may use it
 * @param packages its own packages, as ArchUnit patterns
 * @param reason why no other package may use it
 */
record Technology(List<String> homes, List<String> packages, String reason) {

  static final Technology DATABASE =
      new Technology(
          List.of("adapter.persistence"),
          List.of(
              "org.jooq..",
              "javax.sql..",
              "java.sql..",
              "org.postgresql..",
              "org.flywaydb..",
              "com.zaxxer.hikari..",
              "org.springframework.jdbc..",
              "org.springframework.dao..",
              "org.springframework.transaction..",
              "org.springframework.boot.jdbc..",
              "org.springframework.boot.jooq..",
              "org.springframework.boot.flyway.."),
          "the rest of the service handles coupons, not rows");

  /** The wiring sets the adapter's options on the client that Spring Boot creates. */
  static final Technology REDIS =
      new Technology(
          List.of("adapter.redis", "bootstrap.wiring"),
          List.of(
              "io.lettuce..",
              "redis.clients..",
              "org.springframework.data.redis..",
              "org.springframework.boot.data.redis.."),
          "the contract tests must hold for a stock in any backend");

  /** Also matches a copy of the client below another package, as in the fixture. */
  static final Technology BROKER =
      new Technology(
          List.of("adapter.rabbitmq"),
          List.of(
              "..com.rabbitmq..", "org.springframework.amqp..", "org.springframework.boot.amqp.."),
          "the rest of the service does not depend on how claims are transported");

  static final Technology WEB =
      new Technology(
          List.of("bootstrap"),
          List.of(
              "jakarta.servlet..",
              "org.apache.catalina..",
              "org.springframework.web..",
              "org.springframework.http..",
              "org.springframework.boot.web..",
              "org.springframework.boot.webmvc.."),
          "only the facade expresses the result of a use case as a status or a header");

  static final Technology CACHE =
      new Technology(
          List.of(
              "bootstrap.wiring",
              "bootstrap.security",
              "bootstrap.load",
              "bootstrap.rest.coupon",
              "bootstrap.rest.waitingroom"),
          List.of("com.github.benmanes.caffeine.."),
          "the use cases decide what of the domain is cached and for how long, the facade decides"
              + " it for representations, and a map is enough for tests");

  static final Technology CHALLENGE =
      new Technology(
          List.of("bootstrap.challenge"),
          List.of("org.altcha.."),
          "another kind of challenge is another implementation of the port");

  static final Technology HTTP_CLIENT =
      new Technology(
          List.of("bootstrap.webhook"),
          List.of("org.apache.hc.."),
          "only there addresses that must not be called are refused");

  static final List<Technology> ALL =
      List.of(DATABASE, REDIS, BROKER, WEB, CACHE, CHALLENGE, HTTP_CLIENT);

  /** The rule that only its homes use it. */
  ArchRule staysAtHome(String root) {
    return noClasses()
        .that()
        .resideOutsideOfPackages(homesUnder(root))
        .should()
        .dependOnClassesThat(itsClasses())
        .because(reason);
  }

  String[] homesUnder(String root) {
    return homes.stream().map(home -> root + "." + home + "..").toArray(String[]::new);
  }

  DescribedPredicate<JavaClass> itsClasses() {
    return resideInAnyPackage(packages.toArray(String[]::new));
  }
}
