/**
 * The Java side of libgstqpu.so's module: what its build needs. The library itself is C, in {@code src/main/c}.
 */
package org.gstqpu.nativeloader;
