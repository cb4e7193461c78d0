/** Pictures: their formats, their layouts, and the memory that they lie in. */
package org.gstqpu.kernels.picture;
