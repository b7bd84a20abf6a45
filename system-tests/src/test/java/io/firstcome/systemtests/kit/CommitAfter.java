package io.firstcome.systemtests.kit;

import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Recognizes a commit after a certain statement, in the requests of one connection to PostgreSQL
 * from its beginning.
 *
 * <p>The PostgreSQL driver sends the text of COMMIT once on each connection, with a name that it
 * uses from then on. That first commit may belong to an earlier transaction, so the name counts.
 *
 * @see <a href="https://www.postgresql.org/docs/15/protocol-message-formats.html">PostgreSQL:
 *     message formats (Parse, Bind)</a>
 */
public final class CommitAfter implements Predicate<String> {

  private static final Pattern PREPARED = Pattern.compile("(\\w+)\0COMMIT\0");

  private final String statement;
  private boolean seen;
  private String bound = "";

  private CommitAfter(String statement) {
    this.statement = statement;
  }

  /**
   * A recognition for each connection.
   *
   * @param statement a part of the text of the statement, as jOOQ renders it
   */
  public static Supplier<Predicate<String>> statement(String statement) {
    return () -> new CommitAfter(statement);
  }

  @Override
  public boolean test(String request) {
    seen |= request.contains(statement);
    var prepared = PREPARED.matcher(request);
    if (prepared.find()) {
      // Bind: the name of the portal, which is empty, and that of the statement.
      bound = "\0" + prepared.group(1) + "\0";
    }
    return seen && !bound.isEmpty() && request.contains(bound);
  }
}
