/** The commands {@code qpu play}, {@code qpu transcode} and {@code qpu list}, and the ready pipelines. */
package org.gstqpu.pipelines.play;
