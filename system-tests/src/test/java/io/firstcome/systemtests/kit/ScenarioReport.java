package io.firstcome.systemtests.kit;

import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each scenario its {@link Fault}, collects the rows of those that passed, and repairs every
 * world. The report is written after the last test of the run.
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

  private static ScenarioTable report(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(ScenarioTable.class, _ -> new ScenarioTable(), ScenarioTable.class);
  }
}
