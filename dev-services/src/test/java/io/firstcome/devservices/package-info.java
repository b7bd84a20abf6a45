/** Tests of the servers that tests stand on. */
@NullMarked
package io.firstcome.devservices;

import org.jspecify.annotations.NullMarked;
