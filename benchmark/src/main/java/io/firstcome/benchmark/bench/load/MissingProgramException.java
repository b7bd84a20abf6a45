package io.firstcome.benchmark.bench.load;

/** A program that a measurement needs is not installed on this machine. */
public final class MissingProgramException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String hint;

  MissingProgramException(String program, String debianPackage) {
    String text =
        "%s is not installed (Debian: apt-get install %s)".formatted(program, debianPackage);
    super(text);
    this.hint = text;
  }

  /** The missing program and how to install it. */
  public String hint() {
    return hint;
  }
}
