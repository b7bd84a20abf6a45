package io.firstcome.adapter.rabbitmq;

import io.firstcome.domain.port.ClaimMessageReader;

/** Reads claim messages in the format of this release. */
final class RabbitMessageReader implements ClaimMessageReader {

  private final ClaimMessages format;

  RabbitMessageReader(ClaimMessages format) {
    this.format = format;
  }

  @Override
  public Reading read(byte[] body) {
    try {
      return new Reading.Decoded(format.decode(body));
    } catch (UndecodableMessageException e) {
      return new Reading.Unreadable(e.reason());
    }
  }
}
