/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.ReferenceFilters;
import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.CdefDirection;
import org.gstqpu.kernels.block.CdefFilter;
import org.gstqpu.kernels.block.EdgeSchedule;
import org.gstqpu.kernels.block.H264Edge;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.ScheduledEdges;
import org.gstqpu.kernels.block.Shrinkage;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.block.Vp9LoopFilter;
import org.gstqpu.kernels.block.Vp9MotionCompensation;
import org.gstqpu.kernels.filter.CdefBlockMap;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.vulkan.block.VulkanBlockContext;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.ValidationMessages;
import org.gstqpu.kernels.internal.vulkan.memory.ApartPlanes;
import org.gstqpu.kernels.internal.vulkan.quality.VulkanMeterContext;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.internal.vulkan.work.DevicePicture;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;

/**
 * A program that submits all there is once, on the best device: both picture filters in every format or, with {@code -Dgstqpu.formats.apart}, in some, automatic strength, quality, every call of the block
 * library, with and without subgroup operations, deblocking in every form, copies. Results are not looked at,
 * since a pretended device has none. Ends with 0 when the device took everything and the validation layer was silent.
 */
final class EveryKernel {
    private static final int WIDTH = 150;
    private static final int HEIGHT = 70;
    private static final int BLOCKS = 100;
    private static final int STRIDE = 512;

    /** The first context takes every so many formats, each other one a third as many. Compiling the shaders is what takes time. */
    private static final int FORMATS_APART = Integer.getInteger("gstqpu.formats.apart", 1);

    private final Set<Kernel> kernels = new HashSet<>();
    private int contexts;
    private int pipelines;
    private long submits;
    private String device;

    private EveryKernel() {}

    public static void main(String[] arguments) throws Exception {
        EveryKernel all = new EveryKernel();
        all.submit(DeviceAllowances.ALL, Optional.empty());
        DeviceCapabilities device = VulkanTestContexts.capabilities();
        for (DeblockForm form : DeblockForm.values()) {
            all.submit(new DeviceAllowances(false, false), Optional.of(KernelTuning.of(device, form)));
        }
        all.submit(
                new DeviceAllowances(true, true),
                Optional.of(new KernelTuning(
                        DeblockForm.CHASE, 2 * device.subgroupSize(), 8, 0, 1, true, 8, 16 << 10, 48, 4, true)));
        all.submit(
                new DeviceAllowances(false, false),
                Optional.of(new KernelTuning(DeblockForm.DIAGONALS, 8, 4, 0, 1, true, 8, 32 << 10, 64, 8, true)));
        Set<Kernel> expected = new HashSet<>(AllKernels.list());
        long messages = ValidationMessages.count();
        System.out.println("device: " + all.device);
        System.out.println("submits: " + all.submits + ", pipelines: " + all.pipelines);
        System.out.println("kernels: " + all.kernels + ", of " + expected);
        System.out.println("validation messages: " + messages);
        System.exit(messages == 0 && all.kernels.equals(expected) ? 0 : 1);
    }

    private void submit(DeviceAllowances allowances, Optional<KernelTuning> tuning) throws Exception {
        VulkanOptions options = VulkanOptions.bestDevice().allowing(allowances);
        try (VulkanFilterContext context =
                VulkanFilterContext.open(tuning.map(options::tuned).orElse(options))) {
            device = context.deviceName();
            PixelFormat[] formats = PixelFormat.values();
            int apart = contexts == 0 ? FORMATS_APART : 3 * FORMATS_APART;
            for (int i = contexts % apart; i < formats.length; i += apart) {
                pictures(context, formats[i]);
            }
            contexts++;
            columns(context);
            largeMetrics(context);
            try (BlockContext blocks = VulkanBlockContext.beside(context.runtime())) {
                blocks(blocks);
            }
            try (DevicePicture picture = context.newDevicePicture(STRIDE)) {
                picture.write(ByteBuffer.allocateDirect(STRIDE));
            }
            kernels.addAll(context.runtime().pipelines().kernels());
            pipelines += context.runtime().pipelines().count();
            submits += context.counters().submits();
        }
    }

    private static void pictures(VulkanFilterContext context, PixelFormat format) {
        PictureLayout layout = PictureLayout.packed(format, WIDTH, HEIGHT, 4);
        try (MappedPicture source = new MappedPicture(layout, new Random(1));
                MappedPicture destination = new MappedPicture(layout, new Random(2))) {
            pictures(context, format, source.memory(), destination.memory(), layout);
        }
    }

    /** Metrics that are not defined for the small pictures. */
    private static void largeMetrics(VulkanFilterContext context) {
        PictureLayout layout = PictureLayout.packed(PixelFormat.I420, 216, 160, 4);
        try (MappedPicture picture = new MappedPicture(layout, new Random(3));
                MeterContext meters = VulkanMeterContext.beside(context.runtime());
                QualityMeter meter = meters.newMeter(
                        PixelFormat.I420, 216, 160, EnumSet.of(QualityMetric.CAMBI, QualityMetric.SPEED_CHROMA))) {
            meter.measure(picture, picture, new QualityFigures());
            try (ApartPlanes apart =
                    new ApartPlanes(context.runtime(), picture.memory().address(), layout)) {
                meter.measure(picture, apart, new QualityFigures());
            }
        }
    }

    /** Where they lie, since what is staged has whole rows on the device. */
    private static void columns(VulkanFilterContext context) {
        for (PixelFormat format : List.of(PixelFormat.NV12, PixelFormat.P010_10LE)) {
            PictureLayout layout =
                    PictureLayout.inColumns(format, WIDTH, HEIGHT, 0, 3 * HEIGHT * 64, HEIGHT * 128, 3 * HEIGHT * 64);
            try (DevicePicture source = context.newDevicePicture(layout.sizeBytes());
                    DevicePicture destination = context.newDevicePicture(layout.sizeBytes())) {
                pictures(context, format, source, destination, layout);
            }
        }
    }

    private static void pictures(
            VulkanFilterContext context,
            PixelFormat format,
            PictureMemory source,
            PictureMemory destination,
            PictureLayout layout) {
        Optional<H264DeblockParameters> deblock = Optional.of(H264DeblockParameters.intra(30, 0, 0, 0, 0, false));
        CdefStrength strength = new CdefStrength(4, 2, 4, 2);
        byte[] one64 = new byte[((WIDTH + 63) / 64) * ((HEIGHT + 63) / 64)];
        byte[] one8 = new byte[((WIDTH + 7) / 8) * ((HEIGHT + 7) / 8)];
        Optional<ShrinkageParameters> shrinkage = Optional.of(new ShrinkageParameters(8, 100, 100, 35));
        Optional<CdefBlockMap> map = Optional.of(new CdefBlockMap(WIDTH, HEIGHT, one64, one8));
        List<FilterParameters> all = List.of(
                new FilterParameters(deblock, Optional.empty()),
                new FilterParameters(Optional.empty(), Optional.of(CdefParameters.uniform(4, strength))),
                new FilterParameters(deblock, Optional.of(new CdefParameters(4, List.of(strength), map))),
                new FilterParameters(deblock, Optional.of(CdefParameters.uniform(4, strength)), shrinkage),
                FilterParameters.shrinkage(new ShrinkageParameters(4, 100, 100, 0)),
                FilterParameters.shrinkage(new ShrinkageParameters(16, 100, 100, 35))
                        .withTime(new TimeParameters(100, 60, 100, true, 0)),
                ReferenceFilters.all(new Random(1), WIDTH, HEIGHT));
        try (PictureFilter filter = context.newPictureFilter(format, WIDTH, HEIGHT)) {
            Picture from = Picture.of(source, layout);
            Picture to = Picture.of(destination, layout);
            for (FilterParameters parameters : all) {
                filter.filter(from, to, PicturePlan.fixed(parameters));
            }
            PictureParameters own = new PictureParameters(format, WIDTH, HEIGHT);
            if (H264EdgeMap.fits(format)) {
                own.deblockByEdge();
            }
            own.runCdef().set(all.get(2).cdef().orElseThrow());
            filter.filter(from, to, PicturePlan.decoded(own));
            filter.filter(
                    from, to, PicturePlan.fixed(all.get(2)).deblockingFrom(6, 3).keepingLeft(0.5));
            StrengthLadder ladder = new StrengthLadder(Collections.nCopies(StrengthTier.ALL.size(), all.get(3)));
            filter.filter(from, to, PicturePlan.automatic(ladder));
        }
        if (!layout.isInColumns()) {
            try (MeterContext meters = VulkanMeterContext.beside(context.runtime());
                    QualityMeter meter =
                            meters.newMeter(format, WIDTH, HEIGHT, QualityMetric.definedFor(format, WIDTH, HEIGHT))) {
                meter.measure(Picture.of(source, layout), Picture.of(destination, layout), new QualityFigures());
            }
        }
    }

    private static void blocks(BlockContext context) {
        try (KernelBuffer records = context.newBuffer(BLOCKS * 16L);
                KernelBuffer in = context.newBuffer(1 << 18);
                KernelBuffer picture = context.newBuffer(1 << 18);
                KernelBuffer out = context.newBuffer(BLOCKS * 128L);
                EdgeSchedule vp9 = new EdgeSchedule(context, EdgeSchedule.Codec.VP9, schedulePicture(), BLOCKS);
                EdgeSchedule h264 = new EdgeSchedule(context, EdgeSchedule.Codec.H264, schedulePicture(), BLOCKS)) {
            vp9.addVp9(0, EdgeDirection.VERTICAL, 16, 1, 1, 1, 8, 8);
            vp9.arrange();
            h264.addH264(0, EdgeDirection.VERTICAL, 40, 12, 1, 2, 3, 4, 16, 16);
            h264.arrange();
            for (BlockCall call : calls(records, in, picture, out, vp9, h264)) {
                try (PreparedCall prepared = context.prepare(call)) {
                    prepared.run(call instanceof ScheduledEdges ? 1 : BLOCKS);
                }
            }
        }
    }

    private static PictureLayout schedulePicture() {
        return PictureLayout.packed(PixelFormat.GRAY8, STRIDE, 64, 64);
    }

    private static List<BlockCall> calls(
            KernelBuffer records,
            KernelBuffer in,
            KernelBuffer picture,
            KernelBuffer out,
            EdgeSchedule vp9,
            EdgeSchedule h264) {
        List<BlockCall> calls = new ArrayList<>();
        calls.add(new Vp9IdctAdd(in, records, BLOCKS, picture, STRIDE));
        calls.add(new Vp9LoopFilter(records, BLOCKS, picture, STRIDE));
        calls.add(new Vp9MotionCompensation(records, BLOCKS, in, STRIDE, picture, STRIDE));
        for (int bitDepth : new int[] {8, 10}) {
            calls.add(new CdefDirection(records, BLOCKS, picture, STRIDE, bitDepth, in));
            for (int blockSize : new int[] {8, 4}) {
                calls.add(new CdefFilter(
                        records, BLOCKS, in, STRIDE, picture, STRIDE, blockSize, bitDepth, Optional.empty(), false));
            }
        }
        calls.add(new Shrinkage(in, records, BLOCKS, out, picture));
        calls.add(new H264Edge(records, BLOCKS, picture, STRIDE, false));
        calls.add(new H264Edge(records, BLOCKS, picture, STRIDE, true));
        calls.add(new ScheduledEdges(vp9, picture));
        calls.add(new ScheduledEdges(h264, picture));
        return calls;
    }
}
