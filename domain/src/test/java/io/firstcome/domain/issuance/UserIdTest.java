package io.firstcome.domain.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserIdTest {

  @Test
  void all_printable_characters_but_the_space_are_allowed() {
    var all = IntStream.rangeClosed('!', '~').mapToObj(Character::toString);

    assertThat(new UserId(all.collect(Collectors.joining())).value()).hasSize(94);
  }

  @Test
  void an_id_has_up_to_128_characters() {
    assertThat(new UserId("a".repeat(128)).value()).hasSize(128);
    assertThatIllegalArgumentException().isThrownBy(() -> new UserId("a".repeat(129)));
  }

  @Test
  void no_caller_has_the_id_of_a_pseudonym() {
    assertThat(UserId.pseudonym("1f").value()).isEqualTo("erased:1f");
    assertThat(UserId.ofCaller("Erased:1f").isPseudonym()).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UserId.ofCaller("erased:1f"))
        .withMessage("userId must not begin with erased:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", " a", "a\n", "a\u0000", "\u007f", "ä", "a\u202e"})
  void other_ids_are_rejected_without_being_quoted(String id) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new UserId(id))
        .withMessageStartingWith("userId must ");
  }
}
