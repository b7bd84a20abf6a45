/** Whether a deployment is ready for a drop: what operators look at before one. */
@NullMarked
package io.firstcome.application.readiness;

import org.jspecify.annotations.NullMarked;
