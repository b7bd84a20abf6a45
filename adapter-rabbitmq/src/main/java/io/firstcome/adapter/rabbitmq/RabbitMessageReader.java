package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.port.ClaimMessageReader;

/** Reads claim messages in the format of this release. */
final class RabbitMessageReader implements ClaimMessageReader {

  private final ClaimMessageCodec codec = new ClaimMessageCodec();

  @Override
  public Reading read(byte[] body) {
    try {
      return new Reading.Decoded(codec.decode(body));
    } catch (UndecodableMessageException e) {
      return new Reading.Unreadable(e.reason());
    }
  }
}
