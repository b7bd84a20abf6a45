/** The resources of operators. */
@NullMarked
package io.firstcome.bootstrap.rest.admin;

import org.jspecify.annotations.NullMarked;
