/** The resources of redemptions and quotes, for customers, order services and tills. */
@NullMarked
package io.firstcome.bootstrap.rest.redemption;

import org.jspecify.annotations.NullMarked;
