/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.gstqpu.kernels.filter.FilterParameters;

/** The reference filters one after the other, and random parameters for them. */
public final class ReferenceFilters {
    private ReferenceFilters() {}

    /** Random parameters over their whole ranges, of one filter, several, all or none. */
    public static FilterParameters random(Random random, int width, int height) {
        return random(random, width, height, random::nextBoolean);
    }

    /** Random parameters of every filter. */
    public static FilterParameters all(Random random, int width, int height) {
        return random(random, width, height, () -> true);
    }

    private static FilterParameters random(Random random, int width, int height, BooleanSupplier runs) {
        return new FilterParameters(
                runs.getAsBoolean() ? Optional.of(RandomParameters.deblock(random)) : Optional.empty(),
                runs.getAsBoolean() ? Optional.of(RandomParameters.cdef(random, width, height)) : Optional.empty(),
                runs.getAsBoolean() ? Optional.of(RandomParameters.shrinkage(random)) : Optional.empty());
    }

    /**
     * The filtered picture.
     *
     * @param decoded what the decoder gave, from which the bound of shrinkage is counted
     * @param column of luma in which a macroblock begins, 0 to 7
     * @param row of luma in which a macroblock begins, 0 to 7
     */
    public static SamplePicture apply(SamplePicture decoded, FilterParameters parameters, int column, int row) {
        SamplePicture result = decoded;
        if (parameters.deblock().isPresent()) {
            result = ReferenceDeblock.applyFrom(result, parameters.deblock().get(), column, row);
        }
        if (parameters.cdef().isPresent()) {
            result = ReferenceCdef.apply(result, parameters.cdef().get());
        }
        if (parameters.shrinkage().isPresent()) {
            result = ReferenceShrinkage.apply(
                    result, decoded, parameters.shrinkage().get(), column, row);
        }
        return result;
    }

    /** The same picture, but each of its two fields is filtered as a picture of its own. */
    public static SamplePicture applyByFields(SamplePicture decoded, FilterParameters parameters, int column, int row) {
        SamplePicture result = decoded.copy();
        for (int field = 0; field < 2; field++) {
            result.setField(field, apply(decoded.field(field), parameters, column, row));
        }
        return result;
    }
}
