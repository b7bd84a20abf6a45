package io.firstcome.adapter.redis;

/** What this instance is called among the readers of the hand-off log. No two that run share it. */
public record RedisReaderName(String value) {

  public RedisReaderName {
    if (value.isBlank()) {
      throw new IllegalArgumentException("reader name must not be blank");
    }
  }
}
