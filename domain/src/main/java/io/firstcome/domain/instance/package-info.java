/** What the instances of a deployment report about themselves. */
@NullMarked
package io.firstcome.domain.instance;

import org.jspecify.annotations.NullMarked;
