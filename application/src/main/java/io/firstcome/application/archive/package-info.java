/** Archives a coupon: removes its stock once the database has all data of the stock. */
@NullMarked
package io.firstcome.application.archive;

import org.jspecify.annotations.NullMarked;
