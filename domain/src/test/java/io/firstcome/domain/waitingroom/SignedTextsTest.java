package io.firstcome.domain.waitingroom;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.Money;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.issuance.Epoch;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.Currency;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SignedTextsTest {

  private static final UserId ANN = new UserId("ann");
  private static final UserId BOB = new UserId("bob");
  private static final Ticket TICKET = new Ticket(57, new Epoch(3));
  private static final Duration END = Duration.ofMillis(123_456);

  private final Coupon coupon = coupon("WELCOME");
  private final Coupon other = coupon("OTHER");
  private final SignedTexts texts = texts((byte) 1);

  private static SignedTexts texts(byte key) {
    var bytes = new byte[CodeKeys.MIN_KEY_BYTES];
    bytes[0] = key;
    return new SignedTexts(new CodeKeys(Map.of(1, bytes), 1));
  }

  private static Coupon coupon(String id) {
    var opensAt = Instant.parse("2026-05-01T12:00:00Z");
    return new Coupon(
        new CouponDefinition(
            new CouponId(id),
            "Five euros",
            100,
            new Discount.Amount(new Money(500, Currency.getInstance("EUR"))),
            null,
            new IssuanceWindow(opensAt, opensAt.plusSeconds(60)),
            new Validity.Days(30),
            true,
            null,
            null),
        CouponStatus.ACTIVE,
        1,
        new Partition(0),
        1,
        StockBackend.REDIS);
  }

  @Test
  void a_ticket_is_valid_for_its_user_and_coupon() {
    var text = texts.ofTicket(coupon, ANN, TICKET);

    assertThat(text).matches("57\\.3\\.[A-Za-z0-9_-]{22}");
    assertThat(texts.ticket(coupon, ANN, text)).contains(TICKET);
    assertThat(texts.ticket(coupon, BOB, text)).isEmpty();
    assertThat(texts.ticket(other, ANN, text)).isEmpty();
    assertThat(texts((byte) 2).ticket(coupon, ANN, text)).isEmpty();
  }

  @Test
  void an_admission_is_valid_for_its_user_and_coupon() {
    var text = texts.ofAdmission(coupon, ANN, END);

    assertThat(texts.admission(coupon, ANN, text)).contains(END);
    assertThat(texts.admission(coupon, BOB, text)).isEmpty();
    assertThat(texts.admission(other, ANN, text)).isEmpty();
    assertThat(texts((byte) 2).admission(coupon, ANN, text)).isEmpty();
  }

  @Test
  void a_changed_text_is_invalid() {
    var ticket = texts.ofTicket(coupon, ANN, TICKET);
    var admission = texts.ofAdmission(coupon, ANN, END);

    for (int i = 0; i < ticket.length(); i++) {
      assertThat(texts.ticket(coupon, ANN, changed(ticket, i))).as("character %d", i).isEmpty();
    }
    for (int i = 0; i < admission.length(); i++) {
      assertThat(texts.admission(coupon, ANN, changed(admission, i)))
          .as("character %d", i)
          .isEmpty();
    }
  }

  /** With another character at that index. */
  private static String changed(String text, int index) {
    char other = text.charAt(index) == '1' ? '2' : '1';
    return text.substring(0, index) + other + text.substring(index + 1);
  }

  @Test
  void neither_is_accepted_as_the_other() {
    var signature = texts.ofAdmission(coupon, ANN, Duration.ofMillis(57)).split("\\.", -1)[1];

    assertThat(texts.ticket(coupon, ANN, "57.3." + signature)).isEmpty();
    assertThat(texts.ticket(coupon, ANN, texts.ofAdmission(coupon, ANN, END))).isEmpty();
    assertThat(texts.admission(coupon, ANN, texts.ofTicket(coupon, ANN, TICKET))).isEmpty();
  }

  @Test
  void other_texts_are_invalid() {
    for (var text :
        new String[] {
          "",
          ".",
          "..",
          "57",
          "57.3",
          "57.3.",
          "0.3.AAAAAAAAAAAAAAAAAAAAAA",
          "9999999999.3.AAAAAAAAAAAAAAAAAAAAAA",
          "-1.3.AAAAAAAAAAAAAAAAAAAAAA",
          "é.3.x"
        }) {
      assertThat(texts.ticket(coupon, ANN, text)).as(text).isEmpty();
      assertThat(texts.admission(coupon, ANN, text)).as(text).isEmpty();
    }
  }
}
