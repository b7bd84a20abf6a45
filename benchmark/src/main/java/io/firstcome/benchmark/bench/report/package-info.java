/** The results of a run and their formats: a table, a JSON file, a document with plots. */
@NullMarked
package io.firstcome.benchmark.bench.report;

import org.jspecify.annotations.NullMarked;
