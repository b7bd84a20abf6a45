package io.firstcome.bootstrap.retention;

import static io.firstcome.contracts.CouponFixtures.ACCEPTED_AT;
import static io.firstcome.contracts.CouponFixtures.aCoupon;
import static io.firstcome.contracts.CouponFixtures.acceptedClaim;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.firstcome.domain.audit.AuditEntry;
import io.firstcome.domain.audit.AuditEntryId;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.ExportFailedException;
import io.firstcome.domain.retention.ExportPart;
import io.firstcome.domain.retention.ExportedUserCoupon;
import io.firstcome.domain.retention.RejectedClaim;
import io.firstcome.domain.shop.OrderId;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.RecordedRedemption;
import io.firstcome.domain.usercoupon.Redemption;
import io.firstcome.domain.usercoupon.RedemptionId;
import io.firstcome.domain.usercoupon.UserCoupon;
import io.firstcome.domain.usercoupon.UserCouponChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Currency;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FileExportTest {

  private static final Coupon COUPON = aCoupon().returningToStock().build();
  private static final Currency EUR = Currency.getInstance("EUR");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir private Path directory = Path.of("");
  private FileExport export = new FileExport(directory, JSON);

  @BeforeEach
  void exportIntoTheDirectory() {
    export = new FileExport(directory, JSON);
  }

  private static UserCoupon.Issued issued(String user, int slot) {
    return UserCoupon.Issued.of(
        acceptedClaim(COUPON, user, slot, 1), COUPON.definition().validity(), 1, 1);
  }

  private static ExportPart expired(int... slots) {
    return new ExportPart.UserCoupons(
        COUPON.id(),
        Arrays.stream(slots)
            .mapToObj(slot -> issued("user" + slot, slot).expire())
            .map(row -> new ExportedUserCoupon(row, List.of(), List.of()))
            .toList());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("WELCOME"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private List<JsonNode> lines(String file) throws IOException {
    try (var in =
        new GZIPInputStream(Files.newInputStream(directory.resolve("WELCOME").resolve(file)))) {
      return new String(in.readAllBytes(), UTF_8).lines().map(JSON::readTree).toList();
    }
  }

  @Test
  void a_directory_that_is_missing_is_not_created() {
    var missing = directory.resolve("not-mounted");

    assertThatExceptionOfType(ExportFailedException.class)
        .isThrownBy(() -> new FileExport(missing, JSON).store(expired(1)));

    assertThat(missing).doesNotExist();
  }

  @Test
  void a_user_coupon_is_a_line_with_its_redemptions_and_audit_entries() throws IOException {
    var issued = issued("ann", 7);
    var order = new Redemption(new OrderId("order-1"), new Money(2_000, EUR), new Money(500, EUR));
    var used = issued.use(order, ACCEPTED_AT);
    var redemption =
        new RecordedRedemption(
            new RedemptionId(issued.id(), order.orderId()),
            order,
            RecordedRedemption.State.CONFIRMED,
            null,
            ACCEPTED_AT);
    var step = new UserCouponChange(issued, used, Actor.customer(issued.userId()), ACCEPTED_AT);
    var audit = new AuditEntry.Kept(new AuditEntryId(42), AuditEntry.of(step));

    export.store(
        new ExportPart.UserCoupons(
            COUPON.id(),
            List.of(new ExportedUserCoupon(used, List.of(redemption), List.of(audit)))));

    var line = lines("user-coupons-000000007-000000007.jsonl.gz").getFirst();
    assertThat(line.path("userId").asString()).isEqualTo("ann");
    assertThat(line.path("generation").asInt()).isEqualTo(1);
    assertThat(line.at("/userCoupon/slot").asInt()).isEqualTo(7);
    assertThat(line.at("/userCoupon/state").asString()).isEqualTo("USED");
    assertThat(line.at("/userCoupon/code").asString()).isEqualTo(issued.identity().code().value());
    assertThat(line.at("/redemptions/0/orderId").asString()).isEqualTo("order-1");
    assertThat(line.at("/audit/0/action").asString()).isEqualTo("USE");
    assertThat(line.at("/audit/0/actor/name").asString()).isEqualTo("ann");
  }

  @Test
  void each_part_is_a_file_named_by_its_rows() throws IOException {
    var returned = issued("ann", 3).giveBack(ACCEPTED_AT, true);

    export.store(expired(1, 2, 5));
    export.store(expired(6));
    export.store(
        new ExportPart.UserCoupons(
            COUPON.id(), List.of(new ExportedUserCoupon(returned, List.of(), List.of()))));
    export.store(
        new ExportPart.RejectedClaims(
            COUPON.id(), List.of(new RejectedClaim(new UserId("a/b"), ACCEPTED_AT))));

    assertThat(files())
        .containsExactly(
            "rejected-claims-241714c62f70695b.jsonl.gz",
            "returned-000000003.1-000000003.1.jsonl.gz",
            "user-coupons-000000001-000000005.jsonl.gz",
            "user-coupons-000000006-000000006.jsonl.gz");
    assertThat(lines("user-coupons-000000001-000000005.jsonl.gz")).hasSize(3);
    assertThat(
            lines("rejected-claims-241714c62f70695b.jsonl.gz").getFirst().path("userId").asString())
        .isEqualTo("a/b");
  }

  /** As after a crash, and with another size of a batch. */
  @Test
  void a_part_that_is_stored_again_replaces_no_part_with_more_rows() throws IOException {
    export.store(expired(1, 2, 3));
    export.store(expired(1, 2));
    export.store(expired(1, 2));

    assertThat(lines("user-coupons-000000001-000000003.jsonl.gz")).hasSize(3);
    assertThat(lines("user-coupons-000000001-000000002.jsonl.gz")).hasSize(2);
    assertThat(files()).hasSize(2);
  }

  @Test
  void only_the_services_user_can_read_a_file() throws IOException {
    export.store(expired(1));

    var file = directory.resolve("WELCOME").resolve(files().getFirst());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void a_directory_that_is_gone_is_a_failure() throws IOException {
    Files.writeString(directory.resolve("WELCOME"), "a file in place of the folder");

    assertThatExceptionOfType(ExportFailedException.class)
        .isThrownBy(() -> export.store(expired(1)));
  }
}
