/** The load of the demo, its result and its report. */
@NullMarked
package io.firstcome.devservices.launcher.demo;

import org.jspecify.annotations.NullMarked;
