import io.firstcome.devservices.DevServices;
import io.firstcome.devservices.server.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.jooq.Constants;
import org.jooq.codegen.GenerationTool;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.ForcedType;
import org.jooq.meta.jaxb.Generate;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Jdbc;
import org.jooq.meta.jaxb.Target;

/**
 * Generates jOOQ's classes for the tables that the migrations create on a real PostgreSQL.
 *
 * <p>The build runs this file from source; the arguments are the folder of the migrations and the
 * output folder. It does nothing if the last run had the same migrations, the same version of jOOQ
 * and the same source of this file, so the generated classes are never of an older schema.
 */
public final class GenerateJooq {

  private static final String PACKAGE = "io.firstcome.adapter.persistence.generated";
  private static final String FINGERPRINT_FILE = "fingerprint";

  private GenerateJooq() {}

  public static void main(String[] arguments) throws Exception {
    var migrations = Path.of(arguments[0]);
    var target = Path.of(arguments[1]);
    var fingerprintFile = target.resolve(FINGERPRINT_FILE);
    var fingerprint = fingerprint(migrations);
    if (Files.exists(fingerprintFile) && Files.readString(fingerprintFile).equals(fingerprint)) {
      return;
    }
    // Deleted first and written last: an aborted run leaves no fingerprint, so the next run
    // generates.
    Files.deleteIfExists(fingerprintFile);
    generate(migrations, target);
    Files.writeString(fingerprintFile, fingerprint);
  }

  private static void generate(Path migrations, Path target) throws Exception {
    var postgres = DevServices.shared().postgres();
    var database = "firstcome_codegen_" + ProcessHandle.current().pid();
    var url = postgres.createDatabase(database);
    try {
      Flyway.configure()
          .dataSource(url, postgres.user(), postgres.password())
          .locations("filesystem:" + migrations)
          .load()
          .migrate();
      GenerationTool.generate(configuration(postgres, url, target));
    } finally {
      drop(postgres, database);
    }
  }

  private static Configuration configuration(PostgresServer postgres, String url, Path target) {
    var instants =
        new ForcedType()
            .withName("INSTANT")
            .withIncludeTypes("timestamptz|timestamp.*")
            // Arrays: the forced type would make them single instants.
            .withExcludeExpression(".*_ats");
    return new Configuration()
        .withJdbc(
            new Jdbc().withUrl(url).withUser(postgres.user()).withPassword(postgres.password()))
        .withGenerator(
            new Generator()
                .withDatabase(
                    new Database()
                        .withName("org.jooq.meta.postgres.PostgresDatabase")
                        .withInputSchema("public")
                        // The connection's search path selects the schema.
                        .withOutputSchemaToDefault(true)
                        .withExcludes("flyway_schema_history")
                        .withForcedTypes(instants))
                .withGenerate(new Generate().withRecords(true).withGlobalObjectReferences(true))
                .withTarget(
                    new Target().withPackageName(PACKAGE).withDirectory(target.toString())));
  }

  private static void drop(PostgresServer postgres, String database) throws SQLException {
    try (var connection = postgres.connect();
        var statement = connection.createStatement()) {
      statement.execute("DROP DATABASE \"%s\" WITH (FORCE)".formatted(database));
    }
  }

  private static String fingerprint(Path migrations) throws IOException, NoSuchAlgorithmException {
    var digest = MessageDigest.getInstance("SHA-256");
    digest.update(Constants.FULL_VERSION.getBytes(StandardCharsets.UTF_8));
    digest.update(Files.readAllBytes(ownSource()));
    for (var file : filesIn(migrations)) {
      digest.update(file.getFileName().toString().getBytes(StandardCharsets.UTF_8));
      digest.update(Files.readAllBytes(file));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Path ownSource() {
    // Set by the source launcher, JEP 330.
    return Path.of(System.getProperty("jdk.launcher.sourcefile"));
  }
}
