/** Quality metrics: how close a picture comes to its reference. */
package org.gstqpu.kernels.quality;
