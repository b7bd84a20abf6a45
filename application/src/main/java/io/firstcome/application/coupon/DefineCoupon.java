package io.firstcome.application.coupon;

import io.firstcome.application.stock.StockBackends;
import io.firstcome.application.stock.StockSync;
import io.firstcome.domain.coupon.Coupon;
import io.firstcome.domain.coupon.CouponDefinition;
import io.firstcome.domain.coupon.CouponId;
import io.firstcome.domain.coupon.Partition;
import io.firstcome.domain.coupon.StockBackend;
import io.firstcome.domain.port.CouponRepository;
import io.firstcome.domain.usercoupon.Actor;
import io.firstcome.domain.usercoupon.CodeKeys;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** An operator defines a coupon. */
public final class DefineCoupon {

  private static final Result RESERVED = new Result.Refused(Reason.RESERVED_ID);

  private final CouponRepository coupons;
  private final CouponCatalog catalog;
  private final StockSync stockSync;
  private final CodeKeys codeKeys;
  private final int partitionCount;
  private final StockBackends backends;
  private final InstantSource clock;

  public DefineCoupon(
      CouponRepository coupons,
      CouponCatalog catalog,
      StockSync stockSync,
      CodeKeys codeKeys,
      int partitionCount,
      StockBackends backends,
      InstantSource clock) {
    this.coupons = coupons;
    this.catalog = catalog;
    this.stockSync = stockSync;
    this.codeKeys = codeKeys;
    this.partitionCount = partitionCount;
    this.backends = backends;
    this.clock = clock;
  }

  /** The result of a definition. */
  public sealed interface Result {

    /** It is defined now, and its stock can be claimed once the window opens. */
    record Defined(Coupon coupon) implements Result {}

    /** It was defined before with the same content. */
    record SameAsBefore(Coupon coupon) implements Result {}

    /** A coupon of that id and other content exists, or a draft of that id was deleted. */
    record AlreadyDefined() implements Result {}

    /** This deployment cannot have such a coupon; nothing changed. */
    record Refused(Reason reason) implements Result {}
  }

  /** The result of a copy. */
  public sealed interface Copied {

    /** A draft of that id exists now, or did before with the same content. */
    record Done(Result of) implements Copied {}

    /** There is no coupon to copy; nothing changed. */
    record Unknown() implements Copied {}
  }

  /** Why a deployment cannot have a coupon. */
  public enum Reason {
    /** It does not have the backend that the definition names. */
    NO_SUCH_BACKEND,
    /** A waiting room is in Redis, so the coupon's stock must be there too. */
    WAITING_ROOM_WITHOUT_REDIS,
    /** Ids that begin so are those of clones in rehearsals. */
    RESERVED_ID
  }

  /**
   * Defines the coupon in the database and then in the stock. If the stock is not reachable now, it
   * is created automatically later; a retry is safe and shows whether it is created.
   *
   * @param wanted the backend of its stock; null for the usual one, or for that of an existing
   *     coupon
   * @throws io.firstcome.domain.port.StockUnavailableException if the coupon is defined and the
   *     stock may not have it yet
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the definition
   */
  public Result define(CouponDefinition definition, @Nullable StockBackend wanted, Actor actor) {
    return isReserved(definition) ? RESERVED : define(definition, wanted, false, actor);
  }

  private static boolean isReserved(CouponDefinition definition) {
    return definition.couponId().isOfRehearsal();
  }

  /**
   * Like {@link #define}, of a clone that synthetic users will claim.
   *
   * @param definition with a reserved id
   */
  public Result defineForRehearsal(CouponDefinition definition, StockBackend backend, Actor actor) {
    return define(definition, backend, false, actor);
  }

  /**
   * Defines a draft, which is published by a change of its own. A retry is safe; after the
   * publication it is answered as one of the same content.
   *
   * @param wanted the backend of its stock; null for the usual one, or for that of an existing
   *     coupon
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the definition
   */
  public Result defineDraft(
      CouponDefinition definition, @Nullable StockBackend wanted, Actor actor) {
    return isReserved(definition) ? RESERVED : define(definition, wanted, true, actor);
  }

  private Result define(
      CouponDefinition definition, @Nullable StockBackend wanted, boolean asDraft, Actor actor) {
    var backend = wanted == null ? backends.usual() : wanted;
    if (!backends.present().contains(backend)) {
      return new Result.Refused(Reason.NO_SUCH_BACKEND);
    }
    if (backend == StockBackend.POSTGRES && definition.waitingRoom() != null) {
      return new Result.Refused(Reason.WAITING_ROOM_WITHOUT_REDIS);
    }
    var coupon = coupon(definition, asDraft, backend);
    boolean added = coupons.addIfAbsent(coupon, actor, clock.instant());
    // Empty if it was a draft that is deleted.
    var stored = added ? coupon : coupons.find(coupon.id()).orElse(null);
    if (stored == null
        || !stored.definition().equals(definition)
        || (!stored.isPublished() && !asDraft)
        || (wanted != null && wanted != stored.stockBackend())) {
      return new Result.AlreadyDefined();
    }
    if (!stored.isPublished()) {
      return added ? new Result.Defined(stored) : new Result.SameAsBefore(stored);
    }
    catalog.remember(stored);
    var inStock = stockSync.ensure(stored);
    return added ? new Result.Defined(inStock) : new Result.SameAsBefore(inStock);
  }

  private Coupon coupon(CouponDefinition definition, boolean asDraft, StockBackend backend) {
    var partition = Partition.forNew(definition.couponId(), partitionCount);
    int codeKey = codeKeys.activeVersion();
    return asDraft
        ? Coupon.draft(definition, partition, codeKey, backend)
        : Coupon.define(definition, partition, codeKey, backend);
  }

  /**
   * Defines a draft like another coupon, with a stock in the same backend. A retry is safe.
   *
   * @throws io.firstcome.domain.port.DatabaseUnavailableException if the database did not confirm
   *     the definition
   */
  public Copied copy(CouponId source, CouponId copy, Actor actor) {
    return coupons
        .find(source)
        .<Copied>map(coupon ->
            new Copied.Done(
                defineDraft(coupon.definition().withId(copy), coupon.stockBackend(), actor)))
        .orElseGet(Copied.Unknown::new);
  }
}
