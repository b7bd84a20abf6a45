package io.firstcome.systemtests.kit;

import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands each scenario its {@link Fault}, writes down those that passed, and leaves every world in
 * order. The report is written when the last test of the run has ended.
 */
final class ScenarioReport implements ParameterResolver, AfterTestExecutionCallback {

  private static final Namespace NAMESPACE = Namespace.create(ScenarioReport.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Fault.class;
  }

  @Override
  public Fault resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return fault(context);
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    World.allOpen().forEach(World::mend);
    if (context.getExecutionException().isEmpty()) {
      Scenario scenario = context.getRequiredTestMethod().getAnnotation(Scenario.class);
      report(context).add(fault(context).row(scenario));
    }
  }

  private static Fault fault(ExtensionContext context) {
    return context.getStore(NAMESPACE).computeIfAbsent(Fault.class, _ -> new Fault(), Fault.class);
  }

  private static Report report(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(Report.class, _ -> new Report(), Report.class);
  }
}
