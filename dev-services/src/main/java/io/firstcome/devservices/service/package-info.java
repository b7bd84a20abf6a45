/** The packaged service as a process, and connections to it. */
@NullMarked
package io.firstcome.devservices.service;

import org.jspecify.annotations.NullMarked;
