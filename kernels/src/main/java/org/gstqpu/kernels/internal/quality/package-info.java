/** Constants of the quality metrics that both substrates share. */
package org.gstqpu.kernels.internal.quality;
