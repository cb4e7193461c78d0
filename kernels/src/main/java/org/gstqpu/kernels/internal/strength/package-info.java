/**
 * Automatic strength: how the histograms of a picture become a tier and a grid offset. The device computes the same in
 * GLSL.
 */
package org.gstqpu.kernels.internal.strength;
