/** Substrates: which one a caller asks for, which one was chosen and why, and how one fails. */
package org.gstqpu.kernels.substrate;
