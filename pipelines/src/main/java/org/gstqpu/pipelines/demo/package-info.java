/** The command {@code qpu demo} and its sample stream. */
package org.gstqpu.pipelines.demo;
