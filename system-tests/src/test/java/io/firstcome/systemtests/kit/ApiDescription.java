package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toUnmodifiableSet;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The description of the API in {@code docs/openapi.yaml}. Each exchange of the system tests is
 * compared with it: an answer with a status, a problem or a member that is not described is a
 * fault, and so is an accepted request whose body the description forbids.
 *
 * @see <a href="https://spec.openapis.org/oas/v3.1.1.html">OpenAPI Specification 3.1</a>
 */
public final class ApiDescription {

  private static final Path FILE = Path.of("..", "docs", "openapi.yaml");
  private static final String JSON = "application/json";
  private static final String REFERENCE = "$ref";

  /** A name of a problem, in the description of a response. */
  private static final Pattern PROBLEM = Pattern.compile("`([a-z-]+)`");

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private static final ApiDescription SHARED = read();

  /** An operation with the paths that it serves. */
  private record Route(Operation operation, Pattern path, JsonNode description) {

    boolean serves(String method, String requested) {
      return operation.method().equals(method) && path.matcher(requested).matches();
    }

    long variables() {
      return operation.path().chars().filter(c -> c == '{').count();
    }
  }

  private final JsonNode document;

  /** The schemas, with members that they do not name forbidden. */
  private final JsonNode closedSchemas;

  private final List<Route> routes;

  /** The problems that any operation can be answered with. */
  private final Set<String> problemsOfAll;

  private final Map<JsonNode, Schema> compiled = new ConcurrentHashMap<>();

  private ApiDescription(JsonNode document) {
    this.document = document;
    this.closedSchemas = eachClosedInside(document.at("/components/schemas"));
    this.routes = routes(document);
    this.problemsOfAll =
        problems(document.at("/components/responses/Problem/description").asString());
  }

  private static ApiDescription read() {
    try {
      return new ApiDescription(new YAMLMapper().readTree(Files.readString(FILE)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The operations, with the scope that each needs. */
  public static List<Operation> operations() {
    return SHARED.routes.stream().map(Route::operation).toList();
  }

  /** What in the exchange is not as described; empty for a path that the API does not have. */
  static List<String> faults(Call call, Answer answer) {
    if (answer.status() < 200) {
      // An interim response, which a request with "Expect: 100-continue" asks for.
      return List.of();
    }
    var path = call.path().split("\\?", 2)[0];
    return SHARED.routes.stream()
        .filter(route -> route.serves(call.method(), path))
        .min(Comparator.comparingLong(Route::variables))
        .map(route -> SHARED.faults(route, call, answer))
        .orElse(List.of());
  }

  private static List<Route> routes(JsonNode document) {
    var routes = new ArrayList<Route>();
    for (var path : document.path("paths").properties()) {
      var pattern = Pattern.compile(path.getKey().replaceAll("\\{[a-zA-Z]+}", "[^/]+"));
      for (var method : path.getValue().properties()) {
        var description = method.getValue();
        if (description.has("operationId")) {
          var operation =
              new Operation(
                  method.getKey().toUpperCase(Locale.ROOT),
                  path.getKey(),
                  scope(description.path("security")));
          routes.add(new Route(operation, pattern, description));
        }
      }
    }
    return routes;
  }

  /** The scope of the operation, which is the same for each way to authenticate. */
  private static String scope(JsonNode security) {
    var scopes =
        security
            .valueStream()
            .flatMap(JsonNode::valueStream)
            .map(way -> way.path(0).asString("any user"))
            .distinct()
            .toList();
    if (scopes.size() != 1) {
      throw new IllegalStateException("not one scope: " + security);
    }
    return scopes.getFirst();
  }

  private static Set<String> problems(String description) {
    return PROBLEM
        .matcher(description)
        .results()
        .map(name -> name.group(1))
        .collect(toUnmodifiableSet());
  }

  private List<String> faults(Route route, Call call, Answer answer) {
    var described = route.description().path("responses").path(Integer.toString(answer.status()));
    var ofAnswer =
        answer.problem().isEmpty()
            ? faultsOf(answer, described)
            : faultsOfProblem(answer, described);
    var ofRequest =
        answer.status() / 100 == 2 ? faultsOfRequest(route, call) : Stream.<String>empty();
    return Stream.concat(ofAnswer, ofRequest)
        .map(fault -> route.operation() + ": " + fault)
        .toList();
  }

  private Stream<String> faultsOf(Answer answer, JsonNode described) {
    if (described.isMissingNode()) {
      return Stream.of("status %d is not described".formatted(answer.status()));
    }
    var schema = resolved(described).path("content").path(JSON).path("schema");
    if (schema.isMissingNode()) {
      return answer.body().isEmpty() ? Stream.of() : Stream.of("a body is not described");
    }
    return answer.header("content-type").startsWith(JSON)
        ? faults(schema, answer.json())
        : Stream.of("not " + JSON + ": " + answer.header("content-type"));
  }

  private Stream<String> faultsOfProblem(Answer answer, JsonNode described) {
    var name = answer.problem();
    boolean isDescribed =
        problemsOfAll.contains(name)
            || problems(described.path("description").asString("")).contains(name);
    return Stream.concat(
        faults(reference("Problem"), answer.json()),
        isDescribed
            ? Stream.of()
            : Stream.of("%d `%s` is not described".formatted(answer.status(), name)));
  }

  private Stream<String> faultsOfRequest(Route route, Call call) {
    var described = resolved(route.description().path("requestBody"));
    var schema = described.path("content").path(JSON).path("schema");
    if (schema.isMissingNode() || call.body().length == 0) {
      return Stream.of();
    }
    var body = JsonMapper.shared().readTree(new String(call.body(), UTF_8));
    if (body.isNull() && !described.path("required").asBoolean(false)) {
      return Stream.of();
    }
    return faults(schema, withoutNulls(body)).map(fault -> "request: " + fault);
  }

  /** In a request, what is null is the same as what is missing. */
  private static JsonNode withoutNulls(JsonNode value) {
    if (value instanceof ObjectNode object) {
      object.removeNulls();
    }
    value.forEach(ApiDescription::withoutNulls);
    return value;
  }

  private JsonNode resolved(JsonNode node) {
    return Optional.ofNullable(node.get(REFERENCE))
        .map(reference -> document.at(reference.asString().substring(1)))
        .orElse(node);
  }

  private static JsonNode reference(String schema) {
    return JsonMapper.shared().createObjectNode().put(REFERENCE, "#/components/schemas/" + schema);
  }

  private Stream<String> faults(JsonNode schema, JsonNode value) {
    return compiled
        .computeIfAbsent(schema, this::compile)
        .validate(
            value,
            execution ->
                execution.executionConfig(config -> config.formatAssertionsEnabled(Boolean.TRUE)))
        .stream()
        .map(Object::toString);
  }

  private Schema compile(JsonNode schema) {
    var root = closed(schema);
    root.putObject("components").set("schemas", closedSchemas);
    return REGISTRY.getSchema(root);
  }

  private static JsonNode eachClosedInside(JsonNode schemas) {
    var closed = JsonMapper.shared().createObjectNode();
    for (var schema : schemas.properties()) {
      closed.set(schema.getKey(), closedInside(schema.getValue()));
    }
    return closed;
  }

  /**
   * The schema at a place where values are: members that neither it nor what it refers to names are
   * forbidden.
   */
  private static ObjectNode closed(JsonNode schema) {
    return closedInside(schema).put("unevaluatedProperties", false);
  }

  /** The schema with its members' schemas closed, which can be combined with others by allOf. */
  private static ObjectNode closedInside(JsonNode schema) {
    var copy = (ObjectNode) schema.deepCopy();
    for (var keyword : List.of("items", "additionalProperties")) {
      if (copy.path(keyword).isObject()) {
        copy.set(keyword, closed(copy.get(keyword)));
      }
    }
    for (var member : copy.path("properties").properties()) {
      ((ObjectNode) copy.get("properties")).set(member.getKey(), closed(member.getValue()));
    }
    if (copy.has("allOf")) {
      var parts = copy.putArray("allOf");
      schema.get("allOf").forEach(part -> parts.add(closedInside(part)));
    }
    return copy;
  }
}
