package io.firstcome.benchmark.bench.row;

import io.firstcome.domain.usercoupon.AcceptedClaim;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Writes the rows of accepted claims, with their events, over the only connection of a pool. */
public interface RowWriter extends AutoCloseable {

  /** The pool; between two batches its connection is free. */
  DataSource dataSource();

  /** Writes the rows of one batch in one transaction. */
  void write(List<AcceptedClaim> claims) throws SQLException;

  @Override
  void close();
}
