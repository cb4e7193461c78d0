/** Constants of the quality metrics, shared by both substrates. */
package org.gstqpu.kernels.internal.quality;
