package io.firstcome.adapter.redis;

/** The name of this instance as a reader of the hand-off log. No two running instances share it. */
public record RedisReaderName(String value) {

  public RedisReaderName {
    if (value.isBlank()) {
      throw new IllegalArgumentException("reader name must not be blank");
    }
  }
}
