package io.firstcome.domain.port;

import io.firstcome.domain.retention.ExportPart;

/** Where rows are kept after their removal from the database. */
public interface RetentionExport {

  /**
   * Stores the part, and returns only when it is durable. A part may be stored several times, also
   * concurrently, and two parts may have rows in common; none replaces another one that has more.
   *
   * @throws ExportFailedException if it may not be stored
   */
  void store(ExportPart part);
}
