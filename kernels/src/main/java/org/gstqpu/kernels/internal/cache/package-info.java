/** Files of the user's cache folder. */
package org.gstqpu.kernels.internal.cache;
