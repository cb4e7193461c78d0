package org.gstqpu.kernels.filter;

import java.util.Optional;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;

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
     * @throws IllegalArgumentException when a block map's size is not this filter's
     */
    void configure(FilterParameters parameters);

    /**
     * Makes the following {@link #filter} calls choose their strength by what the pictures show, each by the pictures up to it
     * in the order in which they began. Found on the filter's own substrate: on a device the CPU neither waits nor reads. What
     * was found so far is kept, when the ladder is another than before, too.
     *
     * @throws IllegalArgumentException as above
     */
    void configure(StrengthLadder ladder);

    /**
     * Leaves a part of the following pictures as it is, from their left border to the {@linkplain PixelFormat#cut column} at a
     * share of the width; the rest is what it would be without. A new share is cheap; the first above 0 may re-record device work.
     *
     * @param share 0 (none, as at first) to 1 (all)
     * @throws IllegalArgumentException when the share is none
     */
    void keepLeft(double share);

    /**
     * Deblocks the following pictures as though their macroblocks began 8 or fewer samples before a column and a row, and the
     * samples at the border were repeated around the picture: for pictures that were cropped after they were coded. In effect while
     * no ladder is set, for pictures without parameters of their own; what a ladder finds takes its place. Chroma of half the width or height begins at half of the samples
     * before, rounded down.
     *
     * @param column of luma, 0 (macroblocks begin with the picture, as at first) to 7
     * @param row the same of rows
     * @throws IllegalArgumentException when one is not
     */
    void deblockFrom(int column, int row);

    /** What was found, up to about the last picture that is done; empty while no ladder is set. Never waits. */
    Optional<StrengthEstimate> estimate();

    /** Most pictures that may have begun and not been awaited. */
    int MAX_IN_FLIGHT = 16;

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
    default void filter(
            PictureMemory source,
            PictureLayout sourceLayout,
            PictureMemory destination,
            PictureLayout destinationLayout) {
        await(begin(source, sourceLayout, destination, destinationLayout, false));
    }

    /**
     * Begins to filter one picture and returns without waiting for it where the device works by itself; pictures are
     * filtered in the order in which they began. Parameters, exceptions and allocation are those of {@link #filter}. Both
     * memories, and what a {@link HostMemory} points at, stay as they are until the picture {@linkplain #isDone is done}.
     *
     * @param handOver whether {@code destination}, if it is a dmabuf, is to go to other drivers before it is done: the end of
     *     the work is then attached to it as a fence, where the device and Linux (6.0 or newer) can; {@link #isHandedOver}
     *     says so
     * @return number of the picture, 0 where it is done already
     * @throws IllegalStateException when {@link #MAX_IN_FLIGHT} pictures have begun, were not handed over and were not awaited
     */
    long begin(
            PictureMemory source,
            PictureLayout sourceLayout,
            PictureMemory destination,
            PictureLayout destinationLayout,
            boolean handOver);

    /**
     * The same, with parameters of this picture's own in place of those that are configured; what automatic strength has found
     * is neither used nor changed. Pictures of both kinds may follow one another.
     *
     * @param parameters for this filter's format and size; read before this returns
     * @throws IllegalArgumentException as above, and when the parameters are for other pictures
     */
    long begin(
            PictureMemory source,
            PictureLayout sourceLayout,
            PictureMemory destination,
            PictureLayout destinationLayout,
            boolean handOver,
            PictureParameters parameters);

    /**
     * Whether the destination of a picture may be handed on before it is done, to those who heed its fences: they need not be
     * awaited here, only the memories kept until {@link #isDone}.
     */
    boolean isHandedOver(long picture);

    /**
     * Whether the device is done with a picture, so that {@link #await} does not wait for it; never waits.
     *
     * @throws DeviceException when the device was lost
     */
    boolean isDone(long picture);

    /**
     * Returns when the destination of a picture holds the result; at once for one that was awaited before.
     *
     * @throws DeviceException when the device failed; the filter can only be closed then
     */
    void await(long picture);

    /** Releases everything this filter owns, waiting for the device where it must; a second call does nothing. */
    @Override
    void close();
}
