package io.firstcome.systemtests.agent;

import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Replaces calls that read the clock by calls of {@link ShiftedClock}. */
final class ClockShifter {

  private static final ClassDesc SHIFTED = ClassDesc.of(ShiftedClock.class.getName());

  /** Owner class by method name. All methods are static and without parameters. */
  private static final Map<String, String> READINGS =
      Map.of(
          "currentTimeMillis", "java/lang/System",
          "now", "java/time/Instant",
          "system", "java/time/InstantSource",
          "systemUTC", "java/time/Clock",
          "systemDefaultZone", "java/time/Clock");

  private ClockShifter() {}

  /** Returns the class file with the calls replaced, or null if it has none. */
  static byte @Nullable [] shift(byte[] classFile, ClassLoader loader) {
    var api = ClassFiles.of(loader);
    var model = api.parse(classFile);
    return readsClock(model)
        ? api.transformClass(model, ClassTransform.transformingMethodBodies(ClockShifter::accept))
        : null;
  }

  private static boolean readsClock(ClassModel model) {
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry member && isReading(member)) {
        return true;
      }
    }
    return false;
  }

  private static void accept(CodeBuilder code, CodeElement element) {
    if (element instanceof InvokeInstruction call && isReading(call.method())) {
      code.invokestatic(SHIFTED, call.name().stringValue(), call.typeSymbol());
    } else {
      code.with(element);
    }
  }

  private static boolean isReading(MemberRefEntry member) {
    String owner = READINGS.get(member.name().stringValue());
    return owner != null
        && member.owner().name().equalsString(owner)
        && member.type().stringValue().startsWith("()");
  }
}
