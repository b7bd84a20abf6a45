package io.firstcome.domain.observation;

/**
 * A server setting that weakens a promise of the service.
 *
 * @param found its value, or a placeholder if it could not be read
 * @param weakens the promise and how it is weakened, as the end of a sentence
 */
public record Weakness(String server, String setting, String found, String wanted, String weakens) {

  private static final String NOT_READABLE = "(not readable)";

  /** A setting that the server does not show, so that its value is unknown. */
  public static Weakness notReadable(String server, String setting, String wanted, String weakens) {
    return new Weakness(server, setting, NOT_READABLE, wanted, weakens);
  }

  /** All of it in one sentence, for operators. */
  public String sentence() {
    return "%s: %s is %s and should be %s; %s".formatted(server, setting, found, wanted, weakens);
  }
}
