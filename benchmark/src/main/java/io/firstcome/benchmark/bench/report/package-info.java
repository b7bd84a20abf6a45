/** What was measured, and how it is told: a table, a JSON file, a document with plots. */
@NullMarked
package io.firstcome.benchmark.bench.report;

import org.jspecify.annotations.NullMarked;
