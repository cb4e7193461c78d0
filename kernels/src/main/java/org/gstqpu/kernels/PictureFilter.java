package org.gstqpu.kernels;

/**
 * Filters pictures of one format and size, one after the other. Made and owned by a {@link FilterContext}'s user;
 * belongs to one thread at a time and is closed before its context.
 *
 * <p><b>Edges of the picture.</b> Deblocking filters a luma edge where the four samples on each of its sides lie in
 * the picture (chroma: two), so a picture cropped to a size that is no multiple of 16 is filtered as far as its
 * samples go. CDEF treats every sample outside the picture as unavailable; the direction of a block that is cut by the
 * right or bottom border is searched with the border samples repeated. For sizes that are multiples of 16 (deblocking)
 * and 8 (CDEF) the result is the standards', bit for bit.
 */
public interface PictureFilter extends AutoCloseable {
    /**
     * Sets what the following {@link #filter} calls do. Changing values is cheap; switching deblocking or CDEF on or
     * off may re-record device work.
     *
     * @throws IllegalArgumentException when deblocking is asked for and the format is not 8 bit, or when a block map's
     *     size is not this filter's
     */
    void configure(FilterParameters parameters);

    /**
     * Filters one picture; returns when {@code destination} holds the result. Nothing is allocated in the steady state.
     *
     * @param source read only; must not overlap {@code destination}
     * @param sourceLayout of this filter's format and size
     * @param destination bytes outside the planes' samples are left as they are
     * @param destinationLayout of this filter's format and size
     * @throws IllegalArgumentException when a layout is of another format or size, or its memory is too small; when a
     *     picture in a dmabuf meets an {@linkplain DeviceMemory#obstacle obstacle}, or no filter is configured for it
     * @throws DeviceException when the device failed; the filter can only be closed then
     */
    void filter(
            PictureMemory source,
            PictureLayout sourceLayout,
            PictureMemory destination,
            PictureLayout destinationLayout);

    /** Releases everything this filter owns, waiting for the device where it must; a second call does nothing. */
    @Override
    void close();
}
