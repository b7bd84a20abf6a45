package io.firstcome.devservices.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.firstcome.devservices.process.Ports;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** A stub of the service with the part of its HTTP contract that the launcher uses. */
final class StubService {

  private static final AtomicInteger SLOTS = new AtomicInteger();
  private static volatile int stock;

  /** The file that records whether {@code services.json} existed at the first health request. */
  static final String FIRST_PROBE = "first-probe";

  private static final AtomicBoolean PROBED = new AtomicBoolean();

  private StubService() {}

  /** A jar that runs it with {@code java -jar}, with the class path of this JVM. */
  static Path jar(Path folder) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, StubService.class.getName());
    attributes.put(
        Attributes.Name.CLASS_PATH,
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(entry -> Path.of(entry).toUri().toString())
            .collect(Collectors.joining(" ")));
    Path jar = folder.resolve("stub.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream empty = new JarOutputStream(out, manifest)) {
      empty.finish();
    }
    return jar;
  }

  public static void main(String[] arguments) throws Exception {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS user_coupon_text (coupon_id text, slot int, user_id text)");
    }
    HttpServer management = server("MANAGEMENT_SERVER_PORT");
    management.createContext("/actuator/health/", StubService::health);
    HttpServer server = server("SERVER_PORT");
    server.createContext("/api/v1/admin/coupons", StubService::define);
    server.createContext("/api/v1/coupons/", StubService::claim);
    server.start();
    management.start();
  }

  private static HttpServer server(String port) throws IOException {
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress(Ports.loopback(), Integer.parseInt(System.getenv(port))), 1_000);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    return server;
  }

  /** Records at the first health request whether the launcher has written {@code services.json}. */
  private static void health(HttpExchange exchange) throws IOException {
    if (PROBED.compareAndSet(false, true)) {
      Path home = Path.of(System.getenv("TEST_HOME"));
      boolean written = Files.exists(home.resolve("services.json"));
      Files.writeString(home.resolveSibling(FIRST_PROBE), Boolean.toString(written));
    }
    answer(exchange, 200, "{\"status\":\"UP\"}");
  }

  private static void define(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    stock = JsonMapper.shared().readTree(body).get("totalQuantity").asInt();
    answer(exchange, 201, body);
  }

  private static void claim(HttpExchange exchange) throws IOException {
    int slot = SLOTS.incrementAndGet();
    if (slot > stock) {
      answer(exchange, 409, "{\"type\":\"urn:firstcome:problem:sold-out\"}");
      return;
    }
    String coupon = exchange.getRequestURI().getPath().split("/", -1)[4];
    try (Connection connection = connect();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO user_coupon_text VALUES (?, ?, ?)")) {
      insert.setString(1, coupon);
      insert.setInt(2, slot);
      insert.setString(3, exchange.getRequestHeaders().getFirst("X-User-Id"));
      insert.executeUpdate();
    } catch (SQLException e) {
      throw new IOException(e);
    }
    answer(exchange, 202, "{\"outcome\":\"ACCEPTED\"}");
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(
        System.getenv("SPRING_DATASOURCE_URL"),
        System.getenv("SPRING_FLYWAY_USER"),
        System.getenv("SPRING_FLYWAY_PASSWORD"));
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      byte[] body = text.getBytes(UTF_8);
      exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
