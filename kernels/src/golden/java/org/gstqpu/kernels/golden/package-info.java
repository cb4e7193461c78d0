/** Files of golden vectors, which hold what the reference codecs make of given inputs, and the check against them. */
package org.gstqpu.kernels.golden;
