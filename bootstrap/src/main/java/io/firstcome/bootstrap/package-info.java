/** The Spring Boot application. */
@NullMarked
package io.firstcome.bootstrap;

import org.jspecify.annotations.NullMarked;
