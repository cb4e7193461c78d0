/** The command {@code qpu compare}. */
package org.gstqpu.pipelines.compare;
