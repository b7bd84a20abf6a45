package io.firstcome.contracts.stock;

import static java.util.Objects.requireNonNull;

import io.firstcome.domain.coupon.Campaign;
import io.firstcome.domain.coupon.CouponStatus;
import io.firstcome.domain.handoff.LateClaim;
import io.firstcome.domain.issuance.AdoptOutcome;
import io.firstcome.domain.issuance.Claim;
import io.firstcome.domain.issuance.ClaimOutcome;
import io.firstcome.domain.issuance.FreezeOutcome;
import io.firstcome.domain.issuance.LedgerMark;
import io.firstcome.domain.issuance.LedgerPage;
import io.firstcome.domain.issuance.ReleaseOutcome;
import io.firstcome.domain.issuance.Slot;
import io.firstcome.domain.issuance.SlotClaim;
import io.firstcome.domain.issuance.StockAddress;
import io.firstcome.domain.issuance.StockLevel;
import io.firstcome.domain.issuance.StockTerms;
import io.firstcome.domain.issuance.UserId;
import io.firstcome.domain.port.CouponStock;
import io.firstcome.domain.port.ServerUnavailableException.Effect;
import io.firstcome.domain.port.SoldOutLeases;
import io.firstcome.domain.port.StockFencedException;
import io.firstcome.domain.port.StockLeasedException;
import io.firstcome.domain.port.StockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The in-memory reference stock: every rule of the port, on plain maps. */
final class InMemoryStock implements CouponStock {

  private static final int MAX_CLAIMS_PER_CALL = 512;
  private static final int LEDGER_PAGE = 100;

  private final InMemoryServer server;

  InMemoryStock(InMemoryServer server) {
    this.server = server;
  }

  @Override
  public int maxCallsInFlight() {
    return 4;
  }

  @Override
  public int maxClaimsPerCall() {
    return MAX_CLAIMS_PER_CALL;
  }

  @Override
  public CompletionStage<List<ClaimOutcome>> claim(
      StockAddress coupon, @Nullable Campaign campaign, List<Claim> claims, Duration within) {
    try {
      return CompletableFuture.completedStage(
          server.atomically(() -> {
            var stock = server.openCoupon(coupon);
            if (!within.isPositive()) {
              throw new StockUnavailableException(
                  Effect.NONE, "the call came after its deadline", null);
            }
            return claim(stock, coupon, campaign, claims);
          }));
    } catch (StockUnavailableException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  List<ClaimOutcome> claim(
      InMemoryServer.Stock stock,
      StockAddress address,
      @Nullable Campaign campaign,
      List<Claim> claims) {
    if (stock.hasErasedUsers && claims.getFirst().pseudonym() == null) {
      return Collections.nCopies(claims.size(), new ClaimOutcome.Repeat());
    }
    var refusal = refusal(stock);
    boolean full = server.partition(address.partition()).logIsFull();
    var outcomes = new ArrayList<ClaimOutcome>();
    var won = new ArrayList<SlotClaim>();
    for (var claim : claims) {
      var mark = stock.ledger.get(claim.userId());
      var markOfErased =
          stock.hasErasedUsers ? stock.ledger.get(requireNonNull(claim.pseudonym())) : null;
      if (mark != null) {
        outcomes.add(known(mark));
      } else if (markOfErased != null) {
        outcomes.add(ofErased(markOfErased));
      } else if (refusal != null) {
        outcomes.add(refusal);
      } else if (stock.terms().isFrozen()) {
        outcomes.add(new ClaimOutcome.Busy());
      } else if (stock.free() == 0) {
        outcomes.add(new ClaimOutcome.SoldOut());
      } else if (stock.lease != SoldOutLeases.NONE) {
        outcomes.add(new ClaimOutcome.Withheld());
      } else if (full) {
        outcomes.add(new ClaimOutcome.Busy());
      } else if (isAtLimit(stock, address, campaign, claim)) {
        outcomes.add(new ClaimOutcome.CampaignLimit());
      } else {
        var slot = stock.takeSlot(claim.userId());
        won.add(new SlotClaim(claim.userId(), slot));
        outcomes.add(new ClaimOutcome.Accepted(slot));
      }
    }
    if (!won.isEmpty()) {
      server.partition(address.partition()).append(address, won, server.now());
    }
    return outcomes;
  }

  private boolean isAtLimit(
      InMemoryServer.Stock stock, StockAddress address, @Nullable Campaign campaign, Claim claim) {
    if (campaign == null) {
      return false;
    }
    var partition = server.partition(address.partition());
    var ids =
        stock.hasErasedUsers
            ? List.of(claim.userId(), requireNonNull(claim.pseudonym()))
            : List.of(claim.userId());
    return campaign.others(address.couponId()).stream()
            .flatMap(other -> ids.stream().map(id -> partition.markOf(other, id)))
            .filter(LedgerMark.Holds.class::isInstance)
            .count()
        >= campaign.limitPerUser();
  }

  static ClaimOutcome known(LedgerMark mark) {
    return switch (mark) {
      case LedgerMark.Holds(Slot slot) -> new ClaimOutcome.AlreadyIssued(slot);
      case LedgerMark.GaveBack _ -> new ClaimOutcome.Returned();
      case LedgerMark.WasRejected _ -> new ClaimOutcome.Rejected();
    };
  }

  static ClaimOutcome ofErased(LedgerMark mark) {
    return switch (mark) {
      case LedgerMark.Holds _, LedgerMark.GaveBack _ -> new ClaimOutcome.Returned();
      case LedgerMark.WasRejected _ -> new ClaimOutcome.Rejected();
    };
  }

  private @Nullable ClaimOutcome refusal(InMemoryServer.Stock stock) {
    var terms = stock.terms();
    var window = terms.window();
    if (terms.status() == CouponStatus.CLOSED || !server.now().isBefore(window.closesAt())) {
      return new ClaimOutcome.Closed();
    }
    if (terms.status() == CouponStatus.PAUSED) {
      return new ClaimOutcome.Paused();
    }
    return server.now().isBefore(window.opensAt())
        ? new ClaimOutcome.NotOpen(window.opensAt())
        : null;
  }

  @Override
  public void create(StockAddress coupon, @Nullable Campaign campaign, StockTerms terms) {
    server.atomically(() -> {
      var partition = server.openPartition(coupon);
      if (partition.removed.contains(coupon.couponId())) {
        throw new StockFencedException("removed in epoch " + coupon.epoch());
      }
      var stock = partition.stock(coupon.couponId());
      if (!stock.isThere()) {
        stock.ready(terms, 1, coupon.epoch());
        stock.hasErasedUsers =
            campaign != null
                && campaign.others(coupon.couponId()).stream().anyMatch(partition::hasErasedUsers);
      }
      return stock;
    });
  }

  @Override
  public StockTerms apply(StockAddress coupon, StockTerms terms) {
    return server.atomically(() -> {
      var stock = server.openCoupon(coupon);
      if (terms.revision() > stock.terms().revision()) {
        stock.change(terms);
      }
      return stock.terms();
    });
  }

  @Override
  public FreezeOutcome freeze(StockAddress coupon, int revision, Duration within) {
    return server.atomically(() -> {
      if (!within.isPositive()) {
        throw new StockUnavailableException(Effect.NONE, "the call came after its deadline", null);
      }
      var stock = server.openCoupon(coupon);
      if (stock.terms().revision() != revision) {
        return FreezeOutcome.OTHER_REVISION;
      }
      if (!stock.ledger.isEmpty() || stock.hasTickets()) {
        return FreezeOutcome.CLAIMED;
      }
      stock.freeze();
      return FreezeOutcome.FROZEN;
    });
  }

  @Override
  public StockTerms terms(StockAddress coupon) {
    return server.atomically(() -> server.openCoupon(coupon).terms());
  }

  @Override
  public void remove(StockAddress coupon) {
    server.atomically(() -> {
      var partition = server.openPartition(coupon);
      partition.clear(coupon.couponId());
      return partition.removed.add(coupon.couponId());
    });
  }

  @Override
  public Map<UserId, LedgerMark> find(StockAddress coupon, List<UserId> users) {
    return server.atomically(() -> {
      var ledger = server.openCoupon(coupon).ledger;
      Map<UserId, LedgerMark> found = new HashMap<>(ledger);
      found.keySet().retainAll(users);
      return found;
    });
  }

  @Override
  public LedgerPage ledger(StockAddress coupon, @Nullable String cursor) {
    return server.atomically(() -> {
      var all = server.couponOfEpoch(coupon).ledger;
      int from = cursor == null ? 0 : Integer.parseInt(cursor);
      Map<UserId, LedgerMark> page = new LinkedHashMap<>();
      all.entrySet().stream()
          .skip(from)
          .limit(LEDGER_PAGE)
          .forEach(entry -> page.put(entry.getKey(), entry.getValue()));
      int next = from + page.size();
      return new LedgerPage(page, next < all.size() ? String.valueOf(next) : null);
    });
  }

  @Override
  public StockLevel level(StockAddress coupon) {
    return server.atomically(() -> {
      var stock = server.openCoupon(coupon);
      return new StockLevel(stock.terms().totalQuantity(), stock.free(), stock.next());
    });
  }

  @Override
  public List<Slot> returned(StockAddress coupon, @Nullable Slot after, int max) {
    return server.atomically(() ->
        server
            .openCoupon(coupon)
            .returned
            .tailSet(after == null ? 0 : after.number(), false)
            .stream()
            .limit(max)
            .map(Slot::new)
            .toList());
  }

  @Override
  public List<AdoptOutcome> adopt(StockAddress coupon, List<LateClaim> claims) {
    return server.atomically(() -> {
      var stock = server.openCoupon(coupon);
      boolean marksUsers =
          claims.stream().anyMatch(claim -> !stock.ledger.containsKey(claim.userId()));
      stock.adoptionWaits = marksUsers && stock.lease != SoldOutLeases.NONE;
      if (stock.adoptionWaits) {
        throw new StockLeasedException();
      }
      return claims.stream().map(claim -> adopt(stock, claim)).toList();
    });
  }

  private static AdoptOutcome adopt(InMemoryServer.Stock stock, LateClaim claim) {
    return switch (stock.ledger.get(claim.userId())) {
      case LedgerMark.Holds(Slot slot) -> new AdoptOutcome.Adopted(slot);
      case LedgerMark.GaveBack _ -> new AdoptOutcome.GoneBack();
      case LedgerMark.WasRejected _ -> new AdoptOutcome.Rejected();
      case null -> {
        if (stock.free() == 0) {
          stock.ledger.put(claim.userId(), new LedgerMark.WasRejected());
          yield new AdoptOutcome.Rejected();
        }
        yield new AdoptOutcome.Adopted(stock.takeSlot(claim.userId(), claim.promised()));
      }
    };
  }

  @Override
  public void erase(StockAddress coupon, UserId user, UserId pseudonym) {
    server.atomically(() -> {
      server.openCoupon(coupon).erase(user, pseudonym);
      return true;
    });
  }

  @Override
  public void expectPseudonyms(StockAddress coupon) {
    server.atomically(() -> {
      server.openCoupon(coupon).expectPseudonyms();
      return true;
    });
  }

  @Override
  public ReleaseOutcome release(StockAddress coupon, UserId user, Slot slot, int generation) {
    return server.atomically(() -> {
      var stock = server.openCoupon(coupon);
      boolean isReleased = stock.release(user, slot, generation);
      if (stock.lease != SoldOutLeases.NONE && stock.returned.contains(slot.number())) {
        return new ReleaseOutcome.Withheld();
      }
      return isReleased ? new ReleaseOutcome.Released() : new ReleaseOutcome.NotHeld();
    });
  }
}
