/**
 * The {@code qpu} command line: looks over the machine, verifies kernels against golden vectors, and shows the element
 * at work on a sample stream.
 */
package org.gstqpu.pipelines;
