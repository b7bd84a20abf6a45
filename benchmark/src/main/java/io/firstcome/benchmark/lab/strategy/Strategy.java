package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * One way to issue the slots of a coupon to the first users who claim, one each. Whatever a
 * strategy keeps in Redis, in the end each issued coupon is a row in PostgreSQL, by which all
 * strategies are judged.
 *
 * <p>{@link #start} is called first, or after {@link #prepare}; a strategy that starts on stores
 * that were not prepared continues with their data, by its own rules.
 */
public interface Strategy extends AutoCloseable {

  /** Empties the stores and creates a coupon whose slots are all free. */
  void prepare() throws SQLException;

  /** Starts consumers, jobs and recovery, if the strategy has them. */
  default void start() throws InterruptedException {}

  /**
   * Claims for one user; called concurrently.
   *
   * @throws Exception if there is no answer: a server is not reachable, or the strategy gave up
   */
  StrategyAnswer claim(String user) throws Exception;

  /**
   * Waits until the strategy has written all rows that it will ever write.
   *
   * @throws IllegalStateException on timeout
   */
  default void settle(Duration within) throws InterruptedException, SQLException {}

  /** The owner of each row; a user with several rows is in the list several times. */
  List<String> owners() throws SQLException;

  @Override
  void close();
}
