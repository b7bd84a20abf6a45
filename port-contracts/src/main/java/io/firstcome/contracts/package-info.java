/** What the contracts of all ports share: coupons and claims that read as words. */
@NullMarked
package io.firstcome.contracts;

import org.jspecify.annotations.NullMarked;
