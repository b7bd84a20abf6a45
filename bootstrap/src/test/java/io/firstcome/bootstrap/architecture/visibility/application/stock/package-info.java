@NullMarked
package io.firstcome.bootstrap.architecture.visibility.application.stock;

import org.jspecify.annotations.NullMarked;
