/** Whether the deployment is ready for a drop, over HTTP. */
@NullMarked
package io.firstcome.bootstrap.rest.readiness;

import org.jspecify.annotations.NullMarked;
