package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * One way to give the pieces of a coupon to the first who ask, one each. Whatever it keeps in
 * Redis, in the end each coupon given away is a row in PostgreSQL: that is what all are judged by.
 *
 * <p>{@link #start} comes first, or after {@link #prepare}; one that starts on stores that are not
 * prepared goes on with what is there, by its own rules.
 */
public interface Strategy extends AutoCloseable {

  /** Empties the stores and lays out a coupon of which nothing is given away. */
  void prepare() throws SQLException;

  /** Begins to work: consumers, jobs and recovery, where it has them. */
  default void start() throws InterruptedException {}

  /**
   * One user asks. Called by many at a time.
   *
   * @throws Exception if there is no answer: a server is away, or the strategy gave up
   */
  Answer claim(String user) throws Exception;

  /**
   * Waits until every row is there that its own rules will ever bring.
   *
   * @throws IllegalStateException if it takes longer
   */
  default void settle(Duration within) throws InterruptedException, SQLException {}

  /** The owner of each row, as often as they have one. */
  List<String> owners() throws SQLException;

  @Override
  void close();
}
