package io.firstcome.bootstrap.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/**
 * A technology.
 *
 * @param homes the modules or parts, named below the root, that may know it
 * @param packages the packages that it is, as ArchUnit patterns
 * @param reason why the others may not
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
          "the rest of the service speaks of coupons, not of rows");

  /** The wiring gives the client that Spring Boot makes the options that the adapter asks for. */
  static final Technology REDIS =
      new Technology(
          List.of("adapter.redis", "bootstrap.wiring"),
          List.of(
              "io.lettuce..",
              "redis.clients..",
              "org.springframework.data.redis..",
              "org.springframework.boot.data.redis.."),
          "a stock may live elsewhere, and the contract tests must still hold");

  /** A client counts also as a copy under another package, which is how the fixture has it. */
  static final Technology BROKER =
      new Technology(
          List.of("adapter.rabbitmq"),
          List.of(
              "..com.rabbitmq..", "org.springframework.amqp..", "org.springframework.boot.amqp.."),
          "the rest of the service hands claims over and does not care how");

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
          "a status or a header is the facade's way to say what a use case answered");

  static final List<Technology> ALL = List.of(DATABASE, REDIS, BROKER, WEB);

  /** The rule that none but its homes know it. */
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
