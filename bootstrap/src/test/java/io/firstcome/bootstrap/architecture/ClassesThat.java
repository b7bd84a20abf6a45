package io.firstcome.bootstrap.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Date;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.springframework.context.annotation.Configuration;

/** Predicates and conditions of the rules that ArchUnit does not have. */
final class ClassesThat {

  /**
   * The records that the wiring creates and passes to a configuration: the limits of an adapter,
   * and the name under which an instance reads the hand-off log.
   */
  static final Set<String> HANDED_IN =
      Set.of("RedisLimits", "RedisReaderName", "RabbitLimits", "PersistenceLimits", "PoolLimits");

  private ClassesThat() {}

  static DescribedPredicate<JavaClass> areConfigurations() {
    return describe(
        "are configurations",
        type ->
            type.isAnnotatedWith(Configuration.class)
                && type.getSimpleName().endsWith("AdapterConfiguration"));
  }

  static DescribedPredicate<JavaClass> areHandedIn() {
    return describe(
        "are records passed by the wiring",
        type -> type.isRecord() && HANDED_IN.contains(type.getSimpleName()));
  }

  /** An exception, or a type nested in one. */
  static DescribedPredicate<JavaClass> arePartOfAnException() {
    return describe(
        "are part of an exception",
        type ->
            selfAndEnclosing(type)
                .anyMatch(each ->
                    each.isAssignableTo(Exception.class)
                        && each.getSimpleName().endsWith("Exception")));
  }

  /** Classes of an adapter's packages may use each other. */
  static ArchCondition<JavaClass> beUsedOnlyByTheirAdapter(String adapters) {
    return new ArchCondition<>("be used only by their adapter") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        var adapter = adapters + adapterOf(type, adapters);
        type.getDirectDependenciesToSelf().stream()
            .filter(use -> !isWithin(use.getOriginClass().getPackageName(), adapter))
            .forEach(use -> events.add(SimpleConditionEvent.violated(type, use.getDescription())));
      }
    };
  }

  private static String adapterOf(JavaClass type, String adapters) {
    return type.getPackageName().substring(adapters.length()).split("\\.", 2)[0];
  }

  private static boolean isWithin(String packageName, String whole) {
    return packageName.equals(whole) || packageName.startsWith(whole + ".");
  }

  static ArchCondition<JavaClass> beInANullMarkedPackage() {
    return condition(
        "be in a package annotated with @NullMarked",
        type -> type.getPackage().isAnnotatedWith(NullMarked.class));
  }

  /**
   * Method references count too: {@code accessTargetWhere} sees them, {@code callMethod} does not.
   */
  static DescribedPredicate<JavaAccess<?>> readAClockOrDrawALot() {
    return describe(
        "it reads a clock or draws a random value",
        access ->
            access.getTarget() instanceof CodeUnitAccessTarget target
                && (readsAClock(target) || drawsARandomValue(target)));
  }

  private static boolean readsAClock(CodeUnitAccessTarget target) {
    var owner = target.getOwner();
    var name = target.getName();
    var takesNothing = target.getRawParameterTypes().isEmpty();
    // A zone is not a clock: now(ZoneId) reads the system clock.
    var takesAClock =
        target.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Clock.class));
    return (name.equals("now") && !takesAClock && owner.getPackageName().startsWith("java.time"))
        || (name.startsWith("system") && owner.isEquivalentTo(InstantSource.class))
        || (name.startsWith("system") && owner.isEquivalentTo(Clock.class))
        || (name.equals("currentTimeMillis") && owner.isEquivalentTo(System.class))
        || (isConstructor(target) && takesNothing && owner.isEquivalentTo(Date.class));
  }

  private static boolean drawsARandomValue(CodeUnitAccessTarget target) {
    var owner = target.getOwner();
    var name = target.getName();
    return (name.equals("randomUUID") && owner.isEquivalentTo(UUID.class))
        || (name.equals("random") && owner.isEquivalentTo(Math.class))
        || (name.equals("current") && owner.isEquivalentTo(ThreadLocalRandom.class))
        || (name.equals("getDefault") && owner.isEquivalentTo(RandomGenerator.class))
        || (isConstructor(target)
            && Stream.of(Random.class, SecureRandom.class, SplittableRandom.class)
                .anyMatch(owner::isEquivalentTo));
  }

  private static boolean isConstructor(AccessTarget target) {
    return target.getName().equals("<init>");
  }

  private static Stream<JavaClass> selfAndEnclosing(JavaClass type) {
    return Stream.iterate(
        type, each -> each != null, each -> each.getEnclosingClass().orElse(null));
  }

  private static ArchCondition<JavaClass> condition(
      String description, Predicate<JavaClass> holds) {
    return new ArchCondition<>(description) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        var satisfied = holds.test(type);
        var verdict = (satisfied ? " satisfies \"" : " does not satisfy \"") + description + '"';
        events.add(new SimpleConditionEvent(type, satisfied, type.getDescription() + verdict));
      }
    };
  }
}
