package io.firstcome.adapter.persistence.session;

import io.firstcome.domain.observation.Weakness;
import io.firstcome.domain.port.ServerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jooq.Field;
import org.jooq.impl.DSL;

/**
 * Checks PostgreSQL's settings as they are in the service's own sessions: the server's
 * configuration file, a role, a database or the JDBC address can set them.
 */
public final class PostgresServerSettings implements ServerSettings {

  private static final String SERVER = "PostgreSQL";

  private static final String FSYNC = "fsync";
  private static final String FULL_PAGES = "full_page_writes";
  private static final String COMMIT = "synchronous_commit";
  private static final String STANDBYS = "synchronous_standby_names";

  /** Zero is "without limit". */
  private static final List<String> LIMITS =
      List.of(
          SessionSettings.IDLE_IN_TRANSACTION,
          SessionSettings.LOCK_WAIT,
          SessionSettings.STATEMENT);

  /** Values with which a commit waits for the server's own disk. */
  private static final Set<String> COMMIT_WAITS =
      Set.of("on", "remote_apply", "remote_write", "local");

  private final Database database;

  public PostgresServerSettings(Database database) {
    this.database = database;
  }

  @Override
  public String server() {
    return SERVER;
  }

  @Override
  public List<Weakness> weaknesses() {
    var found =
        database.read(dsl ->
            dsl.select(setting(FSYNC), setting(FULL_PAGES), setting(COMMIT), setting(STANDBYS))
                .fetchSingle());
    var weaknesses = new ArrayList<Weakness>();
    if (!"on".equals(found.value1())) {
      weaknesses.add(
          weakness(
              FSYNC,
              found.value1(),
              "on",
              "a power failure loses coupons that were issued, or the whole database"));
    }
    if (!"on".equals(found.value2())) {
      weaknesses.add(
          weakness(
              FULL_PAGES,
              found.value2(),
              "on",
              "a power failure corrupts half-written pages, and issued coupons on them"));
    }
    var commit = found.value3();
    if (!COMMIT_WAITS.contains(commit)) {
      weaknesses.add(
          weakness(
              COMMIT,
              commit,
              "on",
              "a crash of the database loses the coupons that were issued just before"));
    } else if (commit.equals("local") && !found.value4().isEmpty()) {
      weaknesses.add(
          weakness(
              COMMIT,
              commit,
              "on",
              "a failover to a standby loses the coupons that the standby did not have yet"));
    }
    weaknesses.addAll(missingLimits());
    return weaknesses;
  }

  /** A pooler that shares sessions among clients loses what the service has set in them. */
  private List<Weakness> missingLimits() {
    return LIMITS.stream()
        .filter(limit ->
            "0".equals(database.read(dsl -> dsl.select(setting(limit)).fetchSingle().value1())))
        .map(limit ->
            weakness(
                limit,
                "0",
                "a limit, as the service sets it in each of its sessions",
                "an instance that is frozen in a transaction blocks the others"))
        .toList();
  }

  private static Weakness weakness(String setting, String found, String wanted, String weakens) {
    return new Weakness(SERVER, setting, found, wanted, weakens);
  }

  private static Field<String> setting(String name) {
    return DSL.field("current_setting({0})", String.class, DSL.inline(name));
  }
}
