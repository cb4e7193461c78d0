/** Automatic strength: how the histograms of a picture become a tier and a grid offset. Both substrates compute the same. */
package org.gstqpu.kernels.internal.strength;
