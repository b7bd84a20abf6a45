package io.firstcome.systemtests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The final check of a scenario: all work is done, and every invariant that applies holds. */
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
   * Waits until all work is done, at most {@link World#REST_LIMIT}, then checks I1 to I5, I7 and
   * I8, and that the service's own proof agrees. Returns what is stored.
   */
  public static StoredCoupon assertExact(Deployment deployment, String couponId) {
    return of(deployment, couponId).check();
  }

  /**
   * The same and I9, and that there was no recovery: a recovery could hide a violation by healing
   * it.
   */
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
    assertThat(claims).as("recorded requests").isNotEmpty();
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
    Await.until(
        World.REST_LIMIT,
        () -> "all work done, but there is " + openWork(),
        () -> openWork().isEmpty());
  }

  private List<String> openWork() {
    List<String> openWork = new ArrayList<>();
    Backlog.read(deployment.redis(), deployment.amqp())
        .violations()
        .forEach(v -> openWork.add(v.toString()));
    StoredCoupon stored = StoredCoupon.read(deployment.postgres(), couponId);
    if (!stored.lateUsers().isEmpty()) {
      openWork.add("%d late claims".formatted(stored.lateUsers().size()));
    }
    if (stored.setAside() > 0) {
      openWork.add("%d claims in dead letters".formatted(stored.setAside()));
    }
    if (stored.slotsToReturn() > 0) {
      openWork.add("%d slots to be released".formatted(stored.slotsToReturn()));
    }
    return openWork;
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
