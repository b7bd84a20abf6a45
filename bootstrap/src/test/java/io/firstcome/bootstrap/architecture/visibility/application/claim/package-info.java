@NullMarked
package io.firstcome.bootstrap.architecture.visibility.application.claim;

import org.jspecify.annotations.NullMarked;
