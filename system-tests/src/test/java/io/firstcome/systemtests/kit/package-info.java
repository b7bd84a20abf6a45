/**
 * What a scenario is made of: servers, callers whose requests are recorded, and checks of the
 * invariants.
 */
@NullMarked
package io.firstcome.systemtests.kit;

import org.jspecify.annotations.NullMarked;
