/** Tests of the model. */
@NullMarked
package io.firstcome.domain.issuance;

import org.jspecify.annotations.NullMarked;
