/**
 * Files of golden vectors, which hold the results of the reference codecs for given inputs, and the check of a context
 * against them.
 */
package org.gstqpu.kernels.golden;
