package io.firstcome.contracts.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.firstcome.contracts.broker.BrokerFixtures;
import io.firstcome.domain.handoff.DeadLetter;
import io.firstcome.domain.handoff.DeadLetter.Content;
import io.firstcome.domain.handoff.DeadLetterId;
import io.firstcome.domain.handoff.HandoffEntry;
import io.firstcome.domain.port.DeadLetters;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every {@link DeadLetters} does. */
public abstract class DeadLettersContract extends DatabaseContract {

  private static final Instant NOW = Instant.parse("2026-05-01T10:00:00.123Z");
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final int MANY = 1_000;
  private static final List<HandoffEntry> ENTRIES = BrokerFixtures.entries(5);

  private DeadLetters letters() {
    return database().deadLetters();
  }

  private DeadLetter added(Content content) {
    return added(content, NOW);
  }

  private DeadLetter added(Content content, Instant at) {
    letters().add(List.of(draft(content)), at);
    return letters().page(null, MANY).getLast();
  }

  private static DeadLetter.Draft draft(Content content) {
    return new DeadLetter.Draft(content, "a reason");
  }

  private static Content claims(int entry) {
    return new Content.Claims(ENTRIES.get(entry));
  }

  private static Content unreadable(String body) {
    return new Content.Unreadable(
        Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static Instant later(long seconds) {
    return NOW.plusSeconds(seconds);
  }

  @Test
  void a_dead_letter_is_stored_unchanged() {
    var claims = added(claims(4));
    var message = added(unreadable("\0 {\u00ff"));

    assertThat(claims).isEqualTo(new DeadLetter(claims.id(), claims(4), "a reason", 1, NOW, NOW));
    assertThat(message.content()).isEqualTo(unreadable("\0 {\u00ff"));
    assertThat(letters().find(claims.id())).contains(claims);
    assertThat(letters().find(message.id())).contains(message);
  }

  @Test
  void adding_no_dead_letters_is_allowed() {
    letters().add(List.of(), NOW);

    assertThat(letters().page(null, MANY)).isEmpty();
  }

  @Test
  void adding_an_existing_dead_letter_counts_another_attempt() {
    var first = added(claims(1));
    added(claims(2));

    letters().add(List.of(new DeadLetter.Draft(claims(1), "another reason")), later(60));

    assertThat(letters().page(null, MANY)).hasSize(2);
    assertThat(letters().find(first.id()))
        .contains(new DeadLetter(first.id(), claims(1), "another reason", 2, NOW, later(60)));
  }

  @Test
  void different_claims_of_the_same_entry_are_different_dead_letters() {
    var entry = ENTRIES.get(2);
    for (var claim : entry.claims()) {
      added(
          new Content.Claims(
              new HandoffEntry(
                  entry.reference(), entry.couponId(), entry.acceptedAt(), List.of(claim))));
    }
    added(new Content.Claims(entry));

    assertThat(letters().page(null, MANY)).hasSize(entry.claims().size() + 1);
  }

  @Test
  void dead_letters_are_read_in_pages_in_order() {
    for (int i = 0; i < 5; i++) {
      added(claims(i));
    }

    var first = letters().page(null, 2);
    var second = letters().page(first.getLast().id(), 2);
    var third = letters().page(second.getLast().id(), 2);

    assertThat(first).extracting(DeadLetter::content).containsExactly(claims(0), claims(1));
    assertThat(second).extracting(DeadLetter::content).containsExactly(claims(2), claims(3));
    assertThat(third).extracting(DeadLetter::content).containsExactly(claims(4));
    assertThat(letters().page(third.getLast().id(), 2)).isEmpty();
  }

  @Test
  void dead_letters_are_counted_up_to_a_maximum() {
    assertThat(letters().count(2)).isZero();
    added(claims(0));
    assertThat(letters().count(2)).isEqualTo(1);
    added(claims(1));
    added(claims(2));
    assertThat(letters().count(2)).isEqualTo(2);
  }

  @Test
  void an_attempt_is_counted_when_it_begins() {
    var letter = added(claims(1));

    var begun = letters().begin(letter.id(), later(5)).orElseThrow();

    assertThat(begun)
        .isEqualTo(new DeadLetter(letter.id(), claims(1), "a reason", 2, NOW, later(5)));
    assertThat(letters().find(letter.id())).contains(begun);
  }

  @Test
  void the_reason_of_a_failed_attempt_is_stored() {
    var letter = added(claims(1));
    letters().begin(letter.id(), later(5));

    letters().failed(letter.id(), "worse");

    assertThat(letters().find(letter.id()))
        .contains(new DeadLetter(letter.id(), claims(1), "worse", 2, NOW, later(5)));
  }

  @Test
  void a_removed_dead_letter_is_deleted_and_its_content_can_be_added_again() {
    var letter = added(claims(1));

    letters().remove(letter.id());
    letters().remove(letter.id());

    assertThat(letters().find(letter.id())).isEmpty();
    assertThat(letters().begin(letter.id(), NOW)).isEmpty();
    letters().failed(letter.id(), "too late");
    assertThat(letters().page(null, MANY)).isEmpty();
    assertThat(added(claims(1)).id()).isGreaterThan(letter.id());
  }

  @Test
  void a_dead_letter_is_due_after_a_pause_that_doubles_with_each_attempt() {
    var id = added(claims(1)).id();

    assertThat(due(later(9))).isEmpty();
    assertThat(due(later(10))).contains(id);
    assertThat(due(later(29))).isEmpty();
    assertThat(due(later(30))).contains(id);
    assertThat(due(later(69))).isEmpty();
    assertThat(due(later(70))).contains(id);
  }

  @Test
  void after_the_last_attempt_a_dead_letter_is_never_due() {
    var id = added(claims(1)).id();
    for (int attempt = 2; attempt <= 100; attempt++) {
      letters().begin(id, NOW);
    }

    assertThat(letters().beginDue(later(1_000_000_000), PAUSE, 100)).isEmpty();
    assertThat(letters().find(id).orElseThrow().attempts()).isEqualTo(100);
  }

  @Test
  void the_dead_letter_with_the_oldest_attempt_is_due_first_and_each_only_once() {
    var younger = added(claims(1), later(1)).id();
    var older = added(claims(2), NOW).id();

    assertThat(due(later(60))).contains(older);
    assertThat(due(later(60))).contains(younger);
    assertThat(due(later(60))).isEmpty();
  }

  private Optional<DeadLetterId> due(Instant now) {
    return letters().beginDue(now, PAUSE, MANY).map(DeadLetter::id);
  }
}
