/** Checks of pictures that both substrates share. */
package org.gstqpu.kernels.internal.picture;
