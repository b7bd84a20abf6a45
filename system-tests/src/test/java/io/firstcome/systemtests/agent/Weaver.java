package io.firstcome.systemtests.agent;

import static java.lang.constant.ConstantDescs.CD_void;

import io.firstcome.systemtests.agent.HaltPoint.Moment;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** Inserts a call of {@link Halt#passed()} at a point of a class. */
final class Weaver {

  private static final ClassDesc HOOK_CLASS = ClassDesc.of(Halt.class.getName());
  private static final String HOOK = "passed";

  private final HaltPoint point;

  Weaver(HaltPoint point) {
    this.point = point;
  }

  /**
   * Returns the class file with the inserted call.
   *
   * @param loader the loader of the class
   * @throws IllegalStateException if the class has no such method with a body
   */
  byte[] weave(byte[] classFile, ClassLoader loader) {
    var api = ClassFiles.of(loader);
    var model = api.parse(classFile);
    requireMethod(model);
    CodeTransform hook = point.moment() == Moment.ENTER ? new AtEnter() : new AtExit();
    return api.transformClass(
        model,
        ClassTransform.transformingMethodBodies(
            method -> method.methodName().equalsString(point.method()), hook));
  }

  /** Fails if there is no such method: the test would otherwise run without a halt. */
  void requireMethod(ClassModel model) {
    boolean found =
        model.methods().stream()
            .anyMatch(method ->
                method.methodName().equalsString(point.method()) && method.code().isPresent());
    if (!found) {
      throw new IllegalStateException("there is no method for the point " + point);
    }
  }

  private static void callHook(CodeBuilder code) {
    code.invokestatic(HOOK_CLASS, HOOK, MethodTypeDesc.of(CD_void));
  }

  private static final class AtEnter implements CodeTransform {

    @Override
    public void atStart(CodeBuilder code) {
      callHook(code);
    }

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      code.with(element);
    }
  }

  private static final class AtExit implements CodeTransform {

    @Override
    public void accept(CodeBuilder code, CodeElement element) {
      if (element instanceof ReturnInstruction) {
        callHook(code);
      }
      code.with(element);
    }
  }
}
