/**
 * Handing out slots: claims, their outcomes, and the accepted claims on their way to the database.
 */
@NullMarked
package io.firstcome.domain.issuance;

import org.jspecify.annotations.NullMarked;
