/** The command {@code qpu verify}. */
package org.gstqpu.pipelines.verify;
