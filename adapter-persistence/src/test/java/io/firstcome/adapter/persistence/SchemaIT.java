package io.firstcome.adapter.persistence;

import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.contracts.database.DatabasePorts;
import io.firstcome.domain.usercoupon.RecordOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the schema with statements that bypass the adapters. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SchemaIT {

  private static final String UNIQUE = "23505";
  private static final String CHECK = "23514";
  private static final String FOREIGN_KEY = "23503";

  /** Tag and code are ten times the same letter. */
  private static final String INSERT =
      """
      INSERT INTO user_coupon
        (coupon_number, tag, code, slot, user_id, state, live, issued_at, expires_at)
      SELECT coupon_number, letters, letters, ?, ?, ?, ?, now(), now()
      FROM coupon, convert_to(repeat(?, 10), 'UTF8') AS letters WHERE coupon_id = 'FREE'
      """;

  private final TestDatabase database = new TestDatabase(SchemaIT.class);
  private DatabasePorts ports = database.ports();

  @BeforeEach
  void alice_has_slot_1() {
    ports = database.empty();
    ports.define(aCoupon().withId("FREE").withTotal(10).build(), 1);
    insert("A", 1, "alice", "ISSUED", true);
  }

  @AfterAll
  void close() {
    database.close();
  }

  private void insert(String letter, int slot, String user, String state, boolean live) {
    database.dsl().execute(INSERT, slot, user, state, live, letter);
  }

  private void assertRefused(
      String sqlState,
      String constraint,
      String letter,
      int slot,
      String user,
      String state,
      boolean live) {
    assertThatExceptionOfType(DataAccessException.class)
        .isThrownBy(() -> insert(letter, slot, user, state, live))
        .withMessageContaining(constraint)
        .matches(e -> e.sqlState().equals(sqlState));
  }

  /** docs/growth.md says what removes the rows of each table, so that none grows unnoticed. */
  @Test
  void the_growth_page_names_every_table() throws IOException {
    var page = Files.readString(Path.of("..", "docs", "growth.md"));

    assertThat(
            database
                .dsl()
                .fetch(
                    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
                        + " AND table_type = 'BASE TABLE'")
                .getValues(0, String.class))
        .contains("coupon")
        .allSatisfy(table -> assertThat(page).contains("| `" + table + "` |"));
  }

  @Test
  void a_second_row_of_a_user_is_refused() {
    assertRefused(UNIQUE, "one_per_user", "B", 2, "alice", "ISSUED", true);
  }

  @Test
  void a_second_row_of_a_user_is_refused_also_after_the_slot_of_the_first_was_returned() {
    database
        .dsl()
        .execute("UPDATE user_coupon SET live = false, state = 'RETURNED', ended_at = now()");

    assertRefused(UNIQUE, "one_per_user", "B", 1, "alice", "ISSUED", true);
  }

  @Test
  void a_second_live_row_of_a_slot_is_refused() {
    assertRefused(UNIQUE, "one_live_per_slot", "B", 1, "bob", "ISSUED", true);
  }

  @Test
  void a_returned_slot_can_be_issued_again() {
    database
        .dsl()
        .execute("UPDATE user_coupon SET live = false, state = 'RETURNED', ended_at = now()");
    var coupon = aCoupon().withId("FREE").build();

    assertThat(ports.userCoupons().record(List.of(acceptedClaim(coupon, "bob", 1, 1))))
        .containsExactly(new RecordOutcome.Recorded());
    assertThat(ports.holders(coupon.id())).hasSize(1);
    assertThat(ports.userCoupons().duplicateUsers(coupon.id())).isZero();
  }

  @Test
  void a_slot_below_1_is_refused() {
    assertRefused(CHECK, "can_be_read", "B", 0, "bob", "ISSUED", true);
  }

  @Test
  void a_duplicate_tag_is_refused() {
    assertRefused(UNIQUE, "pkey", "A", 2, "bob", "ISSUED", true);
  }

  @Test
  void an_unknown_state_is_refused() {
    assertRefused(CHECK, "columns_of_its_state", "B", 2, "bob", "issued", true);
  }

  @Test
  void a_used_row_that_does_not_occupy_its_slot_is_refused() {
    assertRefused(CHECK, "columns_of_its_state", "B", 2, "bob", "USED", false);
  }

  private void audit(String action, @Nullable String couponId, @Nullable String userCouponId) {
    database
        .dsl()
        .execute(
            """
            INSERT INTO audit_entry (at, actor_kind, actor_name, action, coupon_id, user_coupon_id)
            VALUES (now(), 'OPERATOR', 'olga', ?, ?, ?)
            """,
            action,
            couponId,
            userCouponId);
  }

  private void assertAuditRefused(
      String constraint, String action, @Nullable String couponId, @Nullable String userCouponId) {
    assertThatExceptionOfType(DataAccessException.class)
        .isThrownBy(() -> audit(action, couponId, userCouponId))
        .withMessageContaining(constraint)
        .matches(e -> e.sqlState().equals(CHECK));
  }

  @Test
  void an_audit_entry_has_an_action_and_its_subject() {
    audit("USE", "FREE", "FREE.A");
    audit("PAUSE", "FREE", null);
    audit("RECOVER_STOCK", null, null);

    assertAuditRefused("action_check", "LOOK", "FREE", null);
    assertAuditRefused("has_a_coupon", "PAUSE", null, null);
    assertAuditRefused("has_a_user_coupon", "USE", "FREE", null);
    assertAuditRefused("has_a_user_coupon", "PAUSE", "FREE", "FREE.A");
    assertAuditRefused("has_the_coupon_of_its_user_coupon", "USE", "FREE", "FREEZE.A");
  }

  /**
   * PostgreSQL accepts the time 'infinity'; reading the row would fail, and so would a recovery.
   */
  @Test
  void a_time_of_a_coupon_that_is_not_finite_is_refused() {
    for (var change :
        List.of(
            "opens_at = '-infinity'",
            "closes_at = 'infinity'",
            "defined_at = 'infinity'",
            "valid_days = NULL, valid_until = 'infinity'")) {
      assertThatExceptionOfType(DataAccessException.class)
          .isThrownBy(() -> database.dsl().execute("UPDATE coupon SET " + change))
          .withMessageContaining("coupon_times_are_finite");
    }
  }

  /** Such a row could keep late claims behind it from being settled. */
  @Test
  void a_late_claim_that_cannot_be_read_is_refused() {
    for (var row :
        List.of(
            "'FREE x', 'ann', 1, 0, now()",
            "'FREE', E'ann\n', 1, 0, now()",
            "'FREE', 'ann', 2000000000, 0, now()",
            "'FREE', 'ann', 1, 0, 'infinity'")) {
      assertThatExceptionOfType(DataAccessException.class)
          .isThrownBy(() -> database.dsl().execute("INSERT INTO late_claim VALUES (" + row + ")"))
          .withMessageContaining("late_claim_can_be_read");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM coupon",
        "UPDATE coupon SET coupon_id = 'OTHER'",
        "UPDATE coupon SET coupon_number = DEFAULT"
      })
  void a_coupon_with_rows_cannot_be_deleted_or_renamed(String change) {
    assertThatExceptionOfType(DataAccessException.class)
        .isThrownBy(() -> database.dsl().execute(change))
        .withMessageContaining("FREE has user coupons")
        .matches(e -> e.sqlState().equals(FOREIGN_KEY));
    database
        .dsl()
        .execute("UPDATE user_coupon SET live = false, state = 'RETURNED', ended_at = now()");
    assertThatExceptionOfType(DataAccessException.class)
        .isThrownBy(() -> database.dsl().execute(change))
        .matches(e -> e.sqlState().equals(FOREIGN_KEY));
  }

  @Test
  void a_coupon_without_rows_can_be_deleted() {
    database.dsl().execute("DELETE FROM user_coupon");

    assertThat(database.dsl().execute("DELETE FROM coupon")).isEqualTo(1);
  }

  @Test
  void a_user_coupon_is_shown_with_its_id_and_code_as_texts() {
    var coupon = aCoupon().withId("FREE").build();
    var claim = acceptedClaim(coupon, "bob", 2, 1);
    ports.userCoupons().record(List.of(claim));

    var row = database.dsl().fetchSingle("SELECT * FROM user_coupon_text WHERE user_id = 'bob'");

    assertThat(row.get("user_coupon_id")).isEqualTo(claim.identity().id().toString());
    assertThat(row.get("code")).isEqualTo(claim.identity().code().value());
    assertThat(row.get("coupon_id")).isEqualTo("FREE");
  }

  @Test
  void a_user_with_two_rows_is_counted_as_a_duplicate() {
    database.dsl().execute("ALTER TABLE user_coupon DROP CONSTRAINT user_coupon_one_per_user");
    try {
      insert("B", 2, "alice", "ISSUED", true);
      insert("C", 3, "alice", "ISSUED", true);
      insert("D", 4, "bob", "ISSUED", true);

      var couponId = aCoupon().withId("FREE").build().id();
      assertThat(ports.userCoupons().duplicateUsers(couponId)).isEqualTo(1);
    } finally {
      database.empty();
      database
          .dsl()
          .execute(
              "ALTER TABLE user_coupon ADD CONSTRAINT user_coupon_one_per_user"
                  + " UNIQUE (user_id, coupon_number)");
    }
  }
}
