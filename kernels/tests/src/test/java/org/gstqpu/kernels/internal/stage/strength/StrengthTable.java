/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.lwjgl.system.MemoryUtil;

/**
 * Makes the table of one source for {@link StrengthFit}: measures each coded video and filters it at each level. Run by {@code
 * it/strength-fit}; arguments are the source's name, a folder of grey YUV4MPEG2 files, {@code CODING.y4m} and the original that it is
 * compared with, {@code CODING.ref.y4m}, and the table.
 */
final class StrengthTable {
    private static final int MOST_PICTURES = 10;
    private static final int FRAME_HEADER = "FRAME\n".length();

    /** The grey pictures of a file. */
    private record Video(int width, int height, List<byte[]> pictures) {}

    private StrengthTable() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        List<Path> coded;
        try (Stream<Path> files = Files.list(folder)) {
            coded = files.filter(file ->
                            file.toString().endsWith(".y4m") && !file.toString().endsWith(".ref.y4m"))
                    .sorted()
                    .toList();
        }
        try (FilterContext context = Substrates.open(new SubstrateRequest(Substrate.CPU, Optional.empty(), 1));
                DataOutputStream out =
                        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(Path.of(arguments[2]))))) {
            out.writeInt(coded.size());
            for (Path file : coded) {
                String coding = file.getFileName().toString().replace(".y4m", "");
                Video decoded = read(file);
                Video original = read(folder.resolve(coding + ".ref.y4m"));
                if (decoded.width != original.width || decoded.height != original.height) {
                    throw new IOException(file + " and its original have different sizes");
                }
                new FittedVideo(arguments[0], coding, measured(context, decoded, original)).write(out);
            }
        }
    }

    private static Video read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int end = 0;
        while (bytes[end] != '\n') {
            end++;
        }
        int width = 0;
        int height = 0;
        for (String word : new String(bytes, 0, end, StandardCharsets.US_ASCII).split(" ", -1)) {
            width = word.startsWith("W") ? Integer.parseInt(word.substring(1)) : width;
            height = word.startsWith("H") ? Integer.parseInt(word.substring(1)) : height;
        }
        int size = width * height;
        List<byte[]> pictures = new ArrayList<>();
        int at = end + 1 + FRAME_HEADER;
        for (; at + size <= bytes.length && pictures.size() < MOST_PICTURES; at += size + FRAME_HEADER) {
            pictures.add(Arrays.copyOfRange(bytes, at, at + size));
        }
        return new Video(width, height, pictures);
    }

    private static List<FittedPicture> measured(FilterContext context, Video decoded, Video original) {
        int size = decoded.width * decoded.height;
        PictureLayout layout = PictureLayout.packed(PixelFormat.GRAY8, decoded.width, decoded.height, 1);
        List<FittedPicture> pictures = new ArrayList<>();
        long memory = MemoryUtil.nmemAllocChecked(2L * size);
        try (PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, decoded.width, decoded.height)) {
            for (int i = 0; i < Math.min(decoded.pictures.size(), original.pictures.size()); i++) {
                MemoryUtil.memByteBuffer(memory, size).put(decoded.pictures.get(i));
                // Of its own, since the histograms are kept.
                StrengthMeter meter = new StrengthMeter(PixelFormat.GRAY8, decoded.width, decoded.height, 1);
                meter.prepare(memory, layout, 0);
                meter.work(0);
                int columns = 2 * FittedPicture.LEVELS.length;
                double[] psnr = new double[columns];
                double[] ssim = new double[columns];
                double[] changed = new double[columns];
                byte[] result = new byte[size];
                for (int column = 0; column < columns; column++) {
                    filter.filter(
                            Picture.of(new HostMemory().set(memory, size), layout),
                            Picture.of(new HostMemory().set(memory + size, size), layout),
                            PicturePlan.fixed(parameters(FittedPicture.tier(column))));
                    MemoryUtil.memByteBuffer(memory + size, size).get(result);
                    byte[] reference = original.pictures.get(i);
                    psnr[column] = 10 * Math.log10(255 * 255 / Math.max(square(result, reference), 1.0 / size));
                    ssim[column] = ssim(result, reference, decoded.width, decoded.height);
                    changed[column] = square(result, decoded.pictures.get(i));
                }
                pictures.add(new FittedPicture(meter.histograms(), psnr, ssim, changed));
            }
        } finally {
            MemoryUtil.nmemFree(memory);
        }
        return pictures;
    }

    /** What the element makes of a tier where shrinkage runs with 8 shifts, as its best quality has it. */
    private static FilterParameters parameters(int number) {
        StrengthTier tier = StrengthTier.ALL.get(number);
        int percent = StrengthTier.isDrawn(number) ? 100 : 115;
        int luma = Math.min(tier.shrinkage() * percent / 100, ShrinkageParameters.LARGEST_THRESHOLD);
        return new FilterParameters(
                Optional.empty(),
                Optional.of(CdefParameters.uniform(
                        tier.damping(), new CdefStrength(tier.primary(), tier.secondary(), 0, 0))),
                Optional.of(new ShrinkageParameters(8, luma, luma, ShrinkageParameters.DEFAULT_BOUND)),
                Optional.empty());
    }

    private static double square(byte[] one, byte[] other) {
        long sum = 0;
        for (int i = 0; i < one.length; i++) {
            int difference = (one[i] & 0xff) - (other[i] & 0xff);
            sum += (long) difference * difference;
        }
        return (double) sum / one.length;
    }

    /** SSIM as x264 has it: windows of 8x8 samples, 4 apart. */
    private static double ssim(byte[] one, byte[] other, int width, int height) {
        double sum = 0;
        int windows = 0;
        for (int y = 0; y + 8 <= height; y += 4) {
            for (int x = 0; x + 8 <= width; x += 4) {
                sum += ssimOfWindow(one, other, width, y * width + x);
                windows++;
            }
        }
        return sum / windows;
    }

    private static double ssimOfWindow(byte[] one, byte[] other, int width, int corner) {
        int sumOne = 0;
        int sumOther = 0;
        int squares = 0;
        int products = 0;
        for (int i = 0; i < 64; i++) {
            int at = corner + i / 8 * width + i % 8;
            int a = one[at] & 0xff;
            int b = other[at] & 0xff;
            sumOne += a;
            sumOther += b;
            squares += a * a + b * b;
            products += a * b;
        }
        double variances = 64.0 * squares - (double) sumOne * sumOne - (double) sumOther * sumOther;
        double covariance = 64.0 * products - (double) sumOne * sumOther;
        double c1 = 0.01 * 0.01 * 255 * 255 * 64;
        double c2 = 0.03 * 0.03 * 255 * 255 * 64 * 63;
        return (2.0 * sumOne * sumOther + c1)
                * (2 * covariance + c2)
                / (((double) sumOne * sumOne + (double) sumOther * sumOther + c1) * (variances + c2));
    }
}
