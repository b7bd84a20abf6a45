/** The epochs of the partitions as rows, and the lease to recover one. */
@NullMarked
package io.firstcome.adapter.persistence.epoch;

import org.jspecify.annotations.NullMarked;
