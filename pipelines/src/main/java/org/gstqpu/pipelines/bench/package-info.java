/** What the benchmarks share: measurements, medians, plots. */
package org.gstqpu.pipelines.bench;
