/** Tests of the model. */
@NullMarked
package io.firstcome.domain.audit;

import org.jspecify.annotations.NullMarked;
