/** A program for tests of the agent, in a package of its own as the agent leaves its own alone. */
@NullMarked
package io.firstcome.systemtests.agent.sample;

import org.jspecify.annotations.NullMarked;
