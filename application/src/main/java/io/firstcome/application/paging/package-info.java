/** Reads long lists page by page. */
@NullMarked
package io.firstcome.application.paging;

import org.jspecify.annotations.NullMarked;
