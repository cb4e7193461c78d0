/** The loop filters in Java on the CPU's threads. */
package org.gstqpu.kernels.cpu;
