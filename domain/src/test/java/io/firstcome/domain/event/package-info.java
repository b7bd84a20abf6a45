@NullMarked
package io.firstcome.domain.event;

import org.jspecify.annotations.NullMarked;
