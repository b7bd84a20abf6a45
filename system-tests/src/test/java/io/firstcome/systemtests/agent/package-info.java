/**
 * A java agent that breaks a service from inside: it halts the JVM at a named point of the code, or
 * shifts its clock. The service itself has no hooks for it. Needs nothing but the JDK, as it runs
 * beside the service's own classes.
 */
@NullMarked
package io.firstcome.systemtests.agent;

import org.jspecify.annotations.NullMarked;
