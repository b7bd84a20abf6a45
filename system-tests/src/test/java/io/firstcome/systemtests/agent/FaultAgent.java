package io.firstcome.systemtests.agent;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The entry point of the agent. Any error here ends the JVM: a service that runs without its fault
 * would pass every test.
 */
public final class FaultAgent {

  /** The exit status of a JVM whose classes could not be transformed. */
  static final int FAILED = 87;

  private FaultAgent() {}

  /** Called by the JVM before the service's own main method; an exception ends the JVM. */
  public static void premain(String text, Instrumentation jvm) throws IOException {
    var arguments = AgentArguments.parse(text);
    var point = arguments.point();
    var marker = arguments.marker();
    if (point != null && marker != null && !Files.exists(marker)) {
      strikeAt(point, marker, arguments.freezes(), jvm);
    }
    if (!arguments.clockShift().isZero()) {
      shiftClock(arguments.clockShift(), jvm);
    }
  }

  private static void strikeAt(HaltPoint point, Path marker, boolean freezes, Instrumentation jvm)
      throws IOException {
    var weaver = new Weaver(point);
    try (var found = ClassLoader.getSystemResourceAsStream(point.internalName() + ".class")) {
      if (found == null) {
        throw new IllegalStateException("there is no class for the point " + point);
      }
      weaver.requireMethod(ClassFile.of().parse(found.readAllBytes()));
    }
    Halt.arm(point, marker, freezes);
    jvm.addTransformer(
        new OfService((name, classFile, loader) ->
            name.equals(point.internalName()) ? weaver.weave(classFile, loader) : null));
  }

  private static void shiftClock(Duration shift, Instrumentation jvm) {
    ShiftedClock.shiftBy(shift);
    jvm.addTransformer(
        new OfService((name, classFile, loader) -> ClockShifter.shift(classFile, loader)));
  }

  /** Transforms a class file, or returns null to keep it unchanged. */
  private interface Change {
    byte @Nullable [] apply(String internalName, byte[] classFile, ClassLoader loader);
  }

  /** Applies a change to classes of the service and its libraries, not to the JDK or the agent. */
  private record OfService(Change change) implements ClassFileTransformer {

    private static final String OWN = FaultAgent.class.getPackageName().replace('.', '/');

    @Override
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        @Nullable String className,
        @Nullable Class<?> redefined,
        @Nullable ProtectionDomain domain,
        byte[] classFile) {
      if (loader == null
          || loader.equals(ClassLoader.getPlatformClassLoader())
          || className == null
          || isOwn(className)) {
        return null;
      }
      try {
        return change.apply(className, classFile, loader);
      } catch (RuntimeException | Error e) {
        // The JVM would ignore it and use the unchanged class.
        System.err.println("the fault agent cannot transform " + className);
        e.printStackTrace();
        Runtime.getRuntime().halt(FAILED);
        return null;
      }
    }

    private static boolean isOwn(String className) {
      return className.startsWith(OWN) && className.lastIndexOf('/') == OWN.length();
    }
  }
}
