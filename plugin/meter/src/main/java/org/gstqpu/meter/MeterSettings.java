/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import com.sun.jna.Pointer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.gstqpu.kernels.quality.PooledFigures;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;

/**
 * What the properties of a qpumeter say. Immutable.
 *
 * @param model a score that is built in, libvmaf's name of its model, or a file
 * @param further more scores and metrics, by the names of {@code qpu measure}
 * @param request what is to measure
 * @param results the file that is to be written at the end
 * @param format its form
 * @param pool how figures of pictures become one
 * @param psnr true for a message with the PSNR
 * @param ssim true for a message with the SSIM
 * @param msSsim true for a message with the MS-SSIM
 * @param requireZeroCopy true if a picture that would be copied for a device is an error
 * @param changes of the model, not of those of the further scores
 * @param every of so many pairs one is measured
 */
record MeterSettings(
        String model,
        List<String> further,
        SubstrateRequest request,
        Optional<Path> results,
        Format format,
        ToDoubleFunction<PooledFigures> pool,
        boolean psnr,
        boolean ssim,
        boolean msSsim,
        boolean requireZeroCopy,
        Set<ModelChange> changes,
        int every) {
    /** The form of a file of results. */
    enum Format {
        /** As libvmaf's log. */
        JSON,
        /** A line for each pair. */
        CSV,
        /** As libvmaf's log. */
        XML
    }

    /** In the order of the property results-format. */
    private static final Format[] FORMATS = {Format.JSON, Format.CSV, Format.JSON, Format.XML};

    private static final Substrate[] SUBSTRATES = {Substrate.AUTO, Substrate.CPU, Substrate.QPU};

    private static final List<ToDoubleFunction<PooledFigures>> POOLS =
            List.of(PooledFigures::min, PooledFigures::max, PooledFigures::mean, PooledFigures::harmonicMean);

    // The numbers, in the order of GstQpuMeterSetting.
    private static final int MODEL = 0;
    private static final int METRICS = 1;
    private static final int DEVICE = 2;
    private static final int RESULTS_FILENAME = 3;
    private static final int RESULTS_FORMAT = 4;
    private static final int POOL_METHOD = 5;
    private static final int SUBSTRATE = 6;
    private static final int THREADS = 7;
    private static final int PSNR = 8;
    private static final int SSIM = 9;
    private static final int MS_SSIM = 10;
    private static final int REQUIRE_ZERO_COPY = 11;
    private static final int DISABLE_CLIP = 12;
    private static final int ENABLE_TRANSFORM = 13;
    private static final int PHONE_MODEL = 14;
    private static final int SUBSAMPLE = 15;
    private static final int COUNT = 16;

    /** Reads the numbers at an address. */
    static MeterSettings at(long address) {
        long[] numbers = new Pointer(address).getLongArray(0, COUNT);
        return new MeterSettings(
                text(numbers, MODEL).orElse(VmafModels.PLAIN),
                text(numbers, METRICS)
                        .map(names -> Arrays.asList(names.split(",")))
                        .orElse(List.of()),
                new SubstrateRequest(
                        SUBSTRATES[number(numbers, SUBSTRATE)], text(numbers, DEVICE), number(numbers, THREADS)),
                text(numbers, RESULTS_FILENAME).map(Path::of),
                FORMATS[number(numbers, RESULTS_FORMAT)],
                POOLS.get(number(numbers, POOL_METHOD)),
                number(numbers, PSNR) != 0,
                number(numbers, SSIM) != 0,
                number(numbers, MS_SSIM) != 0,
                number(numbers, REQUIRE_ZERO_COPY) != 0,
                changes(numbers),
                number(numbers, SUBSAMPLE));
    }

    private static Set<ModelChange> changes(long[] numbers) {
        Set<ModelChange> changes = EnumSet.noneOf(ModelChange.class);
        if (number(numbers, DISABLE_CLIP) != 0) {
            changes.add(ModelChange.UNCLIPPED);
        }
        if (number(numbers, ENABLE_TRANSFORM) != 0 || number(numbers, PHONE_MODEL) != 0) {
            changes.add(ModelChange.TRANSFORMED);
        }
        return changes;
    }

    /** Empty for no text and for an empty one. */
    private static Optional<String> text(long[] numbers, int number) {
        long address = numbers[number];
        return address == 0
                ? Optional.empty()
                : Optional.of(new Pointer(address).getString(0, "UTF-8")).filter(text -> !text.isBlank());
    }

    private static int number(long[] numbers, int number) {
        return Math.toIntExact(numbers[number]);
    }

    /** The metrics that have a property of their own, as far as it is set. */
    List<QualityMetric> switchedOn() {
        List<QualityMetric> metrics = new ArrayList<>();
        if (psnr) {
            metrics.add(QualityMetric.PSNR);
        }
        if (ssim) {
            metrics.add(QualityMetric.SSIM);
        }
        if (msSsim) {
            metrics.add(QualityMetric.MS_SSIM);
        }
        return metrics;
    }
}
