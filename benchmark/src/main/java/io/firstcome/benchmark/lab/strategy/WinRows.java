package io.firstcome.benchmark.lab.strategy;

import java.sql.SQLException;
import java.util.List;

/** The rows of the users who won. */
interface WinRows extends AutoCloseable {

  /** Drops and creates the tables. */
  void create() throws SQLException;

  /** Writes the rows of users, in the order of their wins. Users who have a row get no other. */
  void write(List<String> users) throws SQLException;

  /** The owner of each row. */
  List<String> owners() throws SQLException;

  @Override
  void close();
}
