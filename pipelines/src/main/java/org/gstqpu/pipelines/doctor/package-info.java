/** The command {@code qpu doctor}. */
package org.gstqpu.pipelines.doctor;
