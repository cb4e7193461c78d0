/**
 * The Java side of the GStreamer element {@code qpuloopfilter}: what its properties mean, how its frames are mapped, and
 * which filters run. libgstqpu.so registers the element and calls {@link org.gstqpu.plugin.ElementRuntime}, the only
 * entry.
 */
package org.gstqpu.plugin;
