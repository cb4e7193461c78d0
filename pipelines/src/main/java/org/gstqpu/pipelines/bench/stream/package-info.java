/** Benchmarks of the element in whole pipelines, each in a process of its own. */
package org.gstqpu.pipelines.bench.stream;
