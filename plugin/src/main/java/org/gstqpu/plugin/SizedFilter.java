package org.gstqpu.plugin;

import java.util.Optional;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns the filter for a stream's pictures of one format and size, and knows what it was configured for. Belongs to the streaming
 * thread, and is used while the monitor of the imports is held.
 */
final class SizedFilter implements AutoCloseable {
    private PictureFilter filter;
    private PixelFormat format;
    private int width;
    private int height;

    /** The number of the settings that the filter has, 0 for none. */
    private int configuredChanges;

    /** The value of the property split-view that the filter has. */
    private int configuredSplit;

    /** Whether there is a filter. */
    boolean isOpen() {
        return filter != null;
    }

    /** Whether there is a filter, for pictures of that kind. */
    boolean isFor(PixelFormat pictureFormat, int pictureWidth, int pictureHeight) {
        return filter != null && format == pictureFormat && width == pictureWidth && height == pictureHeight;
    }

    /** Makes a filter, where there is none, for pictures of a kind. */
    void open(FilterContext context, PixelFormat pictureFormat, int pictureWidth, int pictureHeight) {
        filter = context.newPictureFilter(pictureFormat, pictureWidth, pictureHeight);
        format = pictureFormat;
        width = pictureWidth;
        height = pictureHeight;
    }

    /** The filter; only between {@link #open} and {@link #close}. */
    PictureFilter filter() {
        return filter;
    }

    /**
     * Has the filter do what the settings say.
     *
     * @param changes number of the settings, of which the filter may have taken notice before
     * @param ladder where the filter is to find the strength
     * @param fixed what it does where there is no ladder
     */
    void configure(int changes, Optional<StrengthLadder> ladder, FilterParameters fixed) {
        if (configuredChanges != changes) {
            if (ladder.isPresent()) {
                filter.configure(ladder.get());
            } else {
                filter.configure(fixed);
            }
            configuredChanges = changes;
        }
    }

    /** Has the filter leave as much of pictures as it is as a value of the property split-view says. */
    void keepLeft(int split) {
        if (split != configuredSplit) {
            filter.keepLeft((double) split / ElementProperty.Fraction.ONE);
            configuredSplit = split;
        }
    }

    /** What the filter has found, if it is to; only while there is one. */
    Optional<StrengthEstimate> estimate() {
        return filter.estimate();
    }

    /** Gives the filter up, of whose pictures none is under way; does nothing where there is none. */
    @Override
    public void close() {
        if (filter != null) {
            filter.close();
            filter = null;
        }
        configuredChanges = 0;
        configuredSplit = 0;
    }
}
