/** The erasure of a customer: their user id is replaced by a pseudonym. */
@NullMarked
package io.firstcome.domain.erasure;

import org.jspecify.annotations.NullMarked;
