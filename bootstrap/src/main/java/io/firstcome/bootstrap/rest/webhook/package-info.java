/** The webhooks as a resource of operators. */
@NullMarked
package io.firstcome.bootstrap.rest.webhook;

import org.jspecify.annotations.NullMarked;
