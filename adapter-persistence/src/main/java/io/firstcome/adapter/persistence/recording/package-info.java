/** Recording of accepted claims: batches, late claims, rejected claims, dead letters. */
@NullMarked
package io.firstcome.adapter.persistence.recording;

import org.jspecify.annotations.NullMarked;
