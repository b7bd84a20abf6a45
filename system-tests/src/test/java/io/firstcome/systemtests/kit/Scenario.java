package io.firstcome.systemtests.kit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that plays one fault and whose outcome stands in the report. Its method takes a {@link
 * Fault}, to which it tells what it does.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@Tag("scenario")
@ExtendWith(ScenarioReport.class)
public @interface Scenario {

  /** Its place in the report: a number, with a letter behind where several share it. */
  String number();

  /** What breaks, and how. */
  String fault();

  /** Names of the guards that keep the promises then: without any of them the scenario is red. */
  String[] guards();
}
