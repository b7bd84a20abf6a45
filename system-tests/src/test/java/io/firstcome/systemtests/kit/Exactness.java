package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The end of a scenario: all is at rest, and every invariant that applies holds. */
public final class Exactness {

  private static final int SHOWN_MAX = 20;

  private final Deployment deployment;
  private final String couponId;
  private final OptionalLong orderedWithin;
  private final Loss loss;

  private Exactness(Deployment deployment, String couponId, OptionalLong orderedWithin, Loss loss) {
    this.deployment = deployment;
    this.couponId = couponId;
    this.orderedWithin = orderedWithin;
    this.loss = loss;
  }

  /**
   * Waits for rest within {@link World#REST_LIMIT}, then checks I1 to I5, I7 and I8, and that the
   * service's own proof agrees; gives what is stored.
   */
  public static StoredCoupon assertExact(Deployment deployment, String couponId) {
    return of(deployment, couponId).check();
  }

  /** The same and I9, and that no recovery was needed: it would heal much, and hide the fault. */
  public static StoredCoupon assertExactInOrder(World world, String couponId) {
    return of(world, couponId).inOrderWithin(world.epochAtDefinition(couponId)).check();
  }

  static Exactness of(Deployment deployment, String couponId) {
    return new Exactness(deployment, couponId, OptionalLong.empty(), Loss.NONE);
  }

  /**
   * @param epoch of the coupon's partition when the coupon was defined
   */
  Exactness inOrderWithin(long epoch) {
    return new Exactness(deployment, couponId, OptionalLong.of(epoch), loss);
  }

  Exactness but(Loss expected) {
    return new Exactness(deployment, couponId, orderedWithin, expected);
  }

  StoredCoupon check() {
    awaitRest();
    StoredCoupon stored = StoredCoupon.read(deployment.postgres(), couponId);
    List<RecordedClaim> claims = claims();
    assertThat(claims).as("requests on record").isNotEmpty();
    List<Violation> found = new ArrayList<>(InvariantCheck.of(claims, stored, loss));
    if (orderedWithin.isPresent()) {
      found.addAll(OrderCheck.of(claims, stored));
    }
    assertThat(found.stream().limit(SHOWN_MAX)).as("%d violations", found.size()).isEmpty();
    orderedWithin.ifPresent(epoch ->
        assertThat(stored.epoch())
            .as("epoch of the partition: a recovery has healed violations")
            .isEqualTo(epoch));
    assertProofAgrees(stored);
    return stored;
  }

  List<RecordedClaim> claims() {
    return deployment.record().claimsOf(couponId);
  }

  void awaitRest() {
    Await.until(World.REST_LIMIT, () -> "rest, but there is " + unrest(), () -> unrest().isEmpty());
  }

  private List<String> unrest() {
    List<String> unrest = new ArrayList<>();
    Backlog.read(deployment.redis(), deployment.amqp())
        .violations()
        .forEach(v -> unrest.add(v.toString()));
    StoredCoupon stored = StoredCoupon.read(deployment.postgres(), couponId);
    if (!stored.lateUsers().isEmpty()) {
      unrest.add("%d late claims".formatted(stored.lateUsers().size()));
    }
    if (stored.setAside() > 0) {
      unrest.add("%d claims set aside".formatted(stored.setAside()));
    }
    if (stored.slotsToGoBack() > 0) {
      unrest.add("%d slots that are to go back".formatted(stored.slotsToGoBack()));
    }
    return unrest;
  }

  private void assertProofAgrees(StoredCoupon stored) {
    Answer proof = deployment.send(Call.proof(couponId));
    assertThat(proof.status()).as(proof.body()).isEqualTo(200);
    assertThat(proof.json().path("exact").asBoolean()).as(proof.body()).isTrue();
    assertThat(proof.json().path("handoffDepth").asInt()).as(proof.body()).isZero();
    assertThat(proof.json().path("slotsUsed").asLong()).isEqualTo(stored.liveRows());
    assertThat(proof.json().path("free").asLong()).isEqualTo(stored.total() - stored.liveRows());
  }
}
