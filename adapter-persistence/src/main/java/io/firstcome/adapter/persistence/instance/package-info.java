/** What instances report about themselves. */
@NullMarked
package io.firstcome.adapter.persistence.instance;

import org.jspecify.annotations.NullMarked;
