package io.firstcome.domain.port;

/**
 * A setting of a server that is not as a promise of the service needs it.
 *
 * @param found its value, or what stands for it where it could not be read
 * @param weakens the promise and what becomes of it, as the end of a sentence
 */
public record Weakness(String server, String setting, String found, String wanted, String weakens) {

  private static final String NOT_READABLE = "(not readable)";

  /** A setting that the server does not show: nothing is known against it, and nothing for it. */
  public static Weakness notReadable(String server, String setting, String wanted, String weakens) {
    return new Weakness(server, setting, NOT_READABLE, wanted, weakens);
  }

  /** All of it in one sentence, for operators. */
  public String sentence() {
    return "%s: %s is %s and should be %s; %s".formatted(server, setting, found, wanted, weakens);
  }
}
