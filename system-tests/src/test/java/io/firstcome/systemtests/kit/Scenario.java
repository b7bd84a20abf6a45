package io.firstcome.systemtests.kit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that plays one fault and has a row in the report. Its method reports its steps to its
 * {@link Fault} parameter.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@Tag("scenario")
@ExtendWith(ScenarioReport.class)
public @interface Scenario {

  /** Its number in the report, with a letter where several scenarios share it. */
  String number();

  /** What breaks, and how. */
  String fault();

  /** Names of the guards that the scenario depends on: without any one of them it fails. */
  String[] guards();
}
