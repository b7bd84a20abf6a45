package io.firstcome.bootstrap.rest.admin;

import io.firstcome.application.coupon.DefineCoupon;
import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.rest.request.CouponJson;
import io.firstcome.bootstrap.rest.request.CouponJson.DiscountJson;
import io.firstcome.bootstrap.rest.request.CouponJson.ValidityJson;
import io.firstcome.bootstrap.rest.request.CouponJson.WaitingRoomJson;
import io.firstcome.bootstrap.rest.request.MemberReader;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Discount;
import io.firstcome.domain.coupon.InvalidMemberException;
import io.firstcome.domain.coupon.IssuanceWindow;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.coupon.Validity;
import io.firstcome.domain.coupon.WaitingRoom;
import io.firstcome.domain.coupon.WaitingRoom.Mode;
import io.firstcome.domain.coupon.WaitingRoom.Order;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads the definition of a coupon. */
public final class DefinitionReader extends MemberReader {

  private static final String STOCK_BACKEND = "stockBackend";

  /** How long before the opening users can join a waiting room, unless it is defined. */
  private static final Duration ROOM_OPENS_BEFORE = Duration.ofMinutes(10);

  /** A rate that a shop of middle size bears behind the claims: each of them may be an order. */
  private static final int ADMISSIONS_PER_SECOND = 100;

  private static final Duration ADMISSION_TIME = Duration.ofMinutes(2);

  private DefinitionReader() {}

  private Problem invalid() {
    return invalid(ProblemType.INVALID_COUPON, "definition");
  }

  /**
   * Reads the definition from the JSON.
   *
   * @throws Problem {@code invalid-coupon}, with all errors that were found
   */
  public static CouponDefinition read(CouponJson.Definition json) {
    var reader = new DefinitionReader();
    var _ = reader.optional(STOCK_BACKEND, json.stockBackend(), reader::backend);
    return reader.definition(json);
  }

  /**
   * Reads the edited definition of that coupon.
   *
   * @throws Problem {@code invalid-coupon}, with all errors that were found
   */
  static CouponDefinition edited(CouponJson.Definition json, CouponId couponId) {
    var reader = new DefinitionReader();
    if (!couponId.value().equals(json.couponId())) {
      reader.wrong("couponId", "couponId cannot be changed");
    }
    if (json.stockBackend() != null) {
      reader.wrong(STOCK_BACKEND, "stockBackend cannot be changed");
    }
    if (json.draft() != null) {
      reader.wrong("draft", "draft cannot be changed: a draft is published by a call of its own");
    }
    return reader.definition(json);
  }

  /**
   * Reads the id of a copy.
   *
   * @throws Problem {@code invalid-coupon}, if no copy of the source can have this id
   */
  static CouponId idOfCopy(@Nullable String json, CouponId source) {
    var reader = new DefinitionReader();
    var couponId = reader.read("couponId", json, CouponId::new);
    if (source.equals(couponId)) {
      reader.wrong("couponId", "couponId must be another one than that of the copied coupon");
    }
    if (couponId == null || source.equals(couponId)) {
      throw reader.invalid();
    }
    return couponId;
  }

  /**
   * Reads the new quantity of a coupon.
   *
   * @throws Problem {@code invalid-coupon}, if no coupon can have this quantity
   */
  public static int totalQuantity(@Nullable Integer json) {
    var reader = new DefinitionReader();
    var quantity = reader.read("totalQuantity", json, CouponDefinition::requireTotalQuantity);
    if (quantity == null) {
      throw reader.invalid();
    }
    return quantity;
  }

  /**
   * Reads the stock backend; null if the definition does not name one.
   *
   * @throws Problem {@code invalid-coupon}, if there is no such backend
   */
  static @Nullable StockBackend stockBackend(@Nullable String json) {
    var reader = new DefinitionReader();
    var backend = reader.optional(STOCK_BACKEND, json, reader::backend);
    if (reader.hasErrors()) {
      throw reader.invalid();
    }
    return backend;
  }

  /** The problem of a definition that this deployment does not support, with its member. */
  static Problem refused(DefineCoupon.Reason reason) {
    var reader = new DefinitionReader();
    switch (reason) {
      case NO_SUCH_BACKEND ->
          reader.wrong(STOCK_BACKEND, "stockBackend is not available in this deployment");
      case WAITING_ROOM_WITHOUT_REDIS ->
          reader.wrong("waitingRoom", "waitingRoom needs a coupon whose stock is in Redis");
      case RESERVED_ID ->
          reader.wrong("couponId", "couponId must not begin with " + CouponId.REHEARSAL_PREFIX);
    }
    return reader.invalid();
  }

  /** The problem of a member that no coupon can have. */
  static Problem invalid(InvalidMemberException failure) {
    var reader = new DefinitionReader();
    reader.wrong(failure.member(), String.valueOf(failure.getMessage()));
    return reader.invalid();
  }

  /** The problem of an edit after which a coupon could not be in its campaign. */
  static Problem mustReturnToStock() {
    var reader = new DefinitionReader();
    reader.wrong("returnsToStock", "returnsToStock must be true in a campaign");
    return reader.invalid();
  }

  private @Nullable StockBackend backend(String text) {
    return switch (text) {
      case "redis" -> StockBackend.REDIS;
      case "postgres" -> StockBackend.POSTGRES;
      default -> {
        wrong(STOCK_BACKEND, "stockBackend must be redis or postgres");
        yield null;
      }
    };
  }

  private CouponDefinition definition(CouponJson.Definition json) {
    var couponId = read("couponId", json.couponId(), CouponId::new);
    var name = read("name", json.name(), CouponDefinition::requireName);
    var quantity =
        read("totalQuantity", json.totalQuantity(), CouponDefinition::requireTotalQuantity);
    var discount = read("discount", json.discount(), this::discount);
    var minimumOrder = optional("minimumOrder", json.minimumOrder(), m -> money("minimumOrder", m));
    var opensAt = read("opensAt", json.opensAt(), MemberReader::time);
    var closesAt = read("closesAt", json.closesAt(), MemberReader::time);
    var window =
        opensAt == null || closesAt == null
            ? null
            : attempt("closesAt", () -> new IssuanceWindow(opensAt, closesAt));
    var validity = read("validity", json.validity(), this::validity);
    var returnsToStock = required("returnsToStock", json.returnsToStock());
    var archiveAfter =
        optional(
            "archiveAfter",
            json.archiveAfter(),
            text -> CouponDefinition.requireArchiveAfter(duration(text)));
    var waitingRoom =
        optional("waitingRoom", json.waitingRoom(), room -> waitingRoom(room, opensAt));
    if (hasErrors()
        || couponId == null
        || name == null
        || quantity == null
        || discount == null
        || window == null
        || validity == null
        || returnsToStock == null) {
      throw invalid();
    }
    try {
      return new CouponDefinition(
          couponId,
          name,
          quantity,
          discount,
          minimumOrder,
          window,
          validity,
          returnsToStock,
          waitingRoom,
          archiveAfter);
    } catch (InvalidMemberException e) {
      wrong(e.member(), String.valueOf(e.getMessage()));
      throw invalid();
    }
  }

  private @Nullable Discount discount(DiscountJson json) {
    return switch (required("discount.type", json.type())) {
      case null -> null;
      case "AMOUNT" -> amount(json);
      case "PERCENT" -> percent(json);
      default -> {
        wrong("discount.type", "discount.type must be AMOUNT or PERCENT");
        yield null;
      }
    };
  }

  private @Nullable Discount amount(DiscountJson json) {
    refuse("discount.basisPoints", json.basisPoints(), "AMOUNT");
    refuse("discount.currency", json.currency(), "AMOUNT");
    refuse("discount.cap", json.cap(), "AMOUNT");
    var money =
        read("discount.amountOff", json.amountOff(), amount -> money("discount.amountOff", amount));
    return money == null
        ? null
        : attempt("discount.amountOff.minorUnits", () -> new Discount.Amount(money));
  }

  private @Nullable Discount percent(DiscountJson json) {
    refuse("discount.amountOff", json.amountOff(), "PERCENT");
    var basisPoints = required("discount.basisPoints", json.basisPoints());
    var currency = read("discount.currency", json.currency(), MemberReader::currency);
    var cap = optional("discount.cap", json.cap(), money -> money("discount.cap", money));
    return basisPoints == null || currency == null
        ? null
        : attempt("discount", () -> new Discount.Percent(basisPoints, currency, cap));
  }

  private @Nullable Validity validity(ValidityJson json) {
    if ((json.until() == null) == (json.days() == null)) {
      wrong("validity", "validity must have either until or days");
      return null;
    }
    return json.days() == null
        ? read("validity.until", json.until(), text -> new Validity.Until(time(text)))
        : read("validity.days", json.days(), Validity.Days::new);
  }

  /** The room, with the defaults of members that are missing; {@code opensAt} is the coupon's. */
  private @Nullable WaitingRoom waitingRoom(WaitingRoomJson json, @Nullable Instant opensAt) {
    var mode = json.mode() == null ? Mode.ADMIT : read("waitingRoom.mode", json.mode(), this::mode);
    var order =
        json.order() == null ? Order.ARRIVAL : read("waitingRoom.order", json.order(), this::order);
    var joinsFrom =
        json.joinsFrom() == null
            ? joinsFrom(opensAt)
            : read("waitingRoom.joinsFrom", json.joinsFrom(), MemberReader::time);
    var admissionTime =
        json.admissionTime() == null
            ? ADMISSION_TIME
            : read("waitingRoom.admissionTime", json.admissionTime(), MemberReader::duration);
    var rate =
        json.admissionsPerSecond() == null ? ADMISSIONS_PER_SECOND : json.admissionsPerSecond();
    if (mode == null || order == null || joinsFrom == null || admissionTime == null) {
      return null;
    }
    try {
      return new WaitingRoom(
          mode,
          order,
          joinsFrom,
          rate,
          admissionTime,
          Boolean.TRUE.equals(json.paused()),
          Boolean.TRUE.equals(json.challenge()));
    } catch (InvalidMemberException e) {
      wrong(e.member(), String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static Instant joinsFrom(@Nullable Instant opensAt) {
    return opensAt == null || opensAt.isBefore(Instant.EPOCH.plus(ROOM_OPENS_BEFORE))
        ? Instant.EPOCH
        : opensAt.minus(ROOM_OPENS_BEFORE);
  }

  private @Nullable Mode mode(String text) {
    return switch (text) {
      case "ADMIT" -> Mode.ADMIT;
      case "CLAIM" -> Mode.CLAIM;
      default -> {
        wrong("waitingRoom.mode", "waitingRoom.mode must be ADMIT or CLAIM");
        yield null;
      }
    };
  }

  private @Nullable Order order(String text) {
    return switch (text) {
      case "ARRIVAL" -> Order.ARRIVAL;
      case "DRAW" -> Order.DRAW;
      default -> {
        wrong("waitingRoom.order", "waitingRoom.order must be ARRIVAL or DRAW");
        yield null;
      }
    };
  }

  private void refuse(String member, @Nullable Object value, String type) {
    if (value != null) {
      wrong(member, member + " does not belong to a discount of type " + type);
    }
  }
}
