package io.firstcome.bootstrap.rest.admin;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.firstcome.application.erasure.EraseUsers;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.MemberReader;
import io.firstcome.bootstrap.rest.request.WholeNumber;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.domain.erasure.Erasure;
import io.firstcome.domain.erasure.ErasureId;
import io.firstcome.domain.issuance.UserId;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints with which operators erase users. */
@RestController
@RequestMapping(AdminErasureController.PATH)
class AdminErasureController {

  static final String PATH = "/api/v1/admin/erasures";

  private final EraseUsers eraseUsers;

  AdminErasureController(EraseUsers eraseUsers) {
    this.eraseUsers = eraseUsers;
  }

  /** The user to erase. */
  record RequestJson(@Nullable String userId) {}

  /**
   * An erasure, without the user.
   *
   * @param waitsFor why the latest attempt did not end it; absent if there was none, and at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record ErasureJson(
      long erasureId,
      String state,
      String requestedAt,
      @Nullable String waitsFor,
      int userCoupons,
      @Nullable String endedAt) {

    static ErasureJson of(Erasure erasure) {
      var waitsFor = erasure.waitsFor();
      var endedAt = erasure.endedAt();
      return new ErasureJson(
          erasure.id().number(),
          erasure.hasEnded() ? "ERASED" : "PENDING",
          erasure.requestedAt().toString(),
          waitsFor == null ? null : waitsFor.name(),
          erasure.userCoupons(),
          endedAt == null ? null : endedAt.toString());
    }
  }

  @PostMapping
  ResponseEntity<ErasureJson> request(@RequestBody RequestJson json, Caller caller) {
    var erasure = eraseUsers.request(RequestReader.user(json.userId()), caller.operator());
    return ResponseEntity.accepted()
        .location(URI.create(PATH + "/" + erasure.id()))
        .body(ErasureJson.of(erasure));
  }

  @GetMapping("/{erasureId}")
  ErasureJson read(@PathVariable String erasureId) {
    return parsed(erasureId)
        .flatMap(eraseUsers::find)
        .map(ErasureJson::of)
        .orElseThrow(
            () -> Problem.of(ProblemType.UNKNOWN_ERASURE, "There is no erasure with this id."));
  }

  /** Empty if no erasure can have that id. */
  private static Optional<ErasureId> parsed(String erasureId) {
    try {
      return Optional.of(new ErasureId(WholeNumber.parse(erasureId)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Reads the user to erase. */
  private static final class RequestReader extends MemberReader {

    static UserId user(@Nullable String text) {
      var reader = new RequestReader();
      var user = reader.read("userId", text, UserId::ofCaller);
      if (user == null) {
        throw reader.invalid(ProblemType.INVALID_ERASURE, "erasure");
      }
      return user;
    }
  }
}
