/** Benchmarks of one small dispatch, from nothing kept to all kept, in Java and in C. */
package org.gstqpu.pipelines.bench.dispatch;
