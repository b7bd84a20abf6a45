package io.firstcome.systemtests.guards;

import java.lang.reflect.Method;
import java.util.regex.Pattern;

/**
 * A test method, by the simple name of its class.
 *
 * @param module the folder of its module
 */
record MeantTest(String module, String testClass, String method) implements Comparable<MeantTest> {

  /** The folder of the module whose tests run the packaged service. */
  static final String THIS_MODULE = "system-tests";

  private static final Pattern FORMAT = Pattern.compile("([a-z-]+): (\\w+)#(\\w+)");

  static MeantTest parse(String text) {
    var matcher = FORMAT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not 'module: TestClass#method': " + text);
    }
    return new MeantTest(matcher.group(1), matcher.group(2), matcher.group(3));
  }

  /** A method of this module. */
  static MeantTest ofThisModule(Method method) {
    return new MeantTest(THIS_MODULE, method.getDeclaringClass().getSimpleName(), method.getName());
  }

  /** Whether it runs the packaged service. */
  boolean isScenario() {
    return module.equals(THIS_MODULE);
  }

  @Override
  public int compareTo(MeantTest other) {
    return toString().compareTo(other.toString());
  }

  @Override
  public String toString() {
    return "%s: %s#%s".formatted(module, testClass, method);
  }
}
