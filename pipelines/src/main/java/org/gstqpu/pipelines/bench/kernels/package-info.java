/** Benchmarks of the kernels: blocks, pictures, and their static cost on V3D. */
package org.gstqpu.pipelines.bench.kernels;
