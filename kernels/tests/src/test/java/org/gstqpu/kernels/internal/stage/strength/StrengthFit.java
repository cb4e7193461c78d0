/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.gstqpu.kernels.filter.StrengthRule;

/**
 * Fits the weights of {@link StrengthRule} to a table, and says what a rule gains in it. The rule that is tried is the rule itself, with
 * other weights in it. Run by {@code it/strength-fit}; arguments are {@code rows}, the folder of tables, and splits; or {@code walk}, the
 * folder, a coding, a number of trials and a seed.
 */
final class StrengthFit {
    /** What a dB of PSNR lost counts in a dB gained, and SSIM; what clean videos lose of it; and how much they may be changed. */
    private static final double FALL_OF_PSNR = 6;

    private static final double FALL_OF_SSIM = 250;
    private static final double FALL_OF_CLEAN = 1000;
    private static final double MOST_CHANGED = 255 * 255 * 1e-5;

    /** The logarithm to base 2 of a usual measure. */
    private static final int USUAL_OCTAVE = 6;

    private final int[][] weights;

    private StrengthFit() throws ReflectiveOperationException {
        Field field = StrengthRule.class.getDeclaredField("WEIGHTS");
        field.setAccessible(true);
        weights = (int[][]) field.get(null);
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        if (arguments[0].equals("rows")) {
            for (int i = 2; i < arguments.length; i++) {
                List<FittedVideo> videos = read(folder.resolve(arguments[i]));
                System.out.println(rows(arguments[i], videos, played(videos)));
            }
        } else {
            new StrengthFit()
                    .walk(
                            folder,
                            StrengthRule.Coding.valueOf(arguments[2]),
                            Integer.parseInt(arguments[3]),
                            new Random(Long.parseLong(arguments[4])));
        }
    }

    private static List<FittedVideo> read(Path split) throws IOException {
        List<FittedVideo> videos = new ArrayList<>();
        List<Path> files;
        try (Stream<Path> all = Files.list(split)) {
            files = all.filter(file -> file.toString().endsWith(".table"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
                for (int left = in.readInt(); left > 0; left--) {
                    videos.add(FittedVideo.read(in));
                }
            }
        }
        return videos;
    }

    /**
     * Changes some weights of a coding at random, and keeps what the split {@code fit} gains by. {@code choose} is to choose among walks:
     * they end at other weights.
     */
    private void walk(Path folder, StrengthRule.Coding coding, int trials, Random random) throws IOException {
        List<FittedVideo> fit = read(folder.resolve("fit"));
        List<FittedVideo> choose = read(folder.resolve("choose"));
        System.out.println(rows("fit, before", fit, played(fit)));
        System.out.println(rows("choose, before", choose, played(choose)));
        int[] row = weights[List.of(StrengthRule.Coding.values()).indexOf(coding)];
        int[] kept = row.clone();
        double most = score(fit);
        for (int trial = 0; trial < trials; trial++) {
            change(row, random);
            double score = score(fit);
            if (score >= most) {
                most = score;
                kept = row.clone();
            } else {
                System.arraycopy(kept, 0, row, 0, row.length);
            }
        }
        System.out.println(rows("fit, now", fit, played(fit)));
        System.out.println(rows("choose, now", choose, played(choose)));
        System.out.println(coding + " " + Arrays.toString(row));
    }

    /**
     * Changes the constant, and some other weights. The constant gives way to these, so that the level of a usual picture stays. What is
     * not used (0) stays so; a weight keeps its sign.
     */
    private static void change(int[] row, Random random) {
        double size = new double[] {0.2, 0.5, 1, 2}[random.nextInt(4)];
        for (int i = 1; i < row.length; i++) {
            if (random.nextInt(4) == 0 && row[i] != 0) {
                int before = row[i];
                int sign = Integer.signum(before);
                row[i] = sign * Math.max(1, sign * before + (int) Math.round(random.nextGaussian() * size * 15));
                row[0] -= (row[i] - before) * (i == row.length - 1 ? 1 : USUAL_OCTAVE);
            }
        }
        row[0] += (int) Math.round(random.nextGaussian() * size * 15);
    }

    private static List<FittedVideo.Result> played(List<FittedVideo> videos) {
        return videos.stream().map(FittedVideo::played).toList();
    }

    private static double score(List<FittedVideo> videos) {
        double score = 0;
        for (FittedVideo video : videos) {
            FittedVideo.Result result = video.played();
            // A fall within what is told as none costs nothing.
            score -= FALL_OF_SSIM * Math.max(-result.ssim() - 0.0001, 0);
            if (video.clean()) {
                score -= FALL_OF_CLEAN * Math.max(-result.ssim() - 0.0001, 0);
                score -= 20 * Math.max(result.changed() - MOST_CHANGED, 0);
            } else {
                score += result.psnr() - FALL_OF_PSNR * Math.max(-result.psnr() - 0.005, 0);
            }
        }
        return score / videos.size();
    }

    /** A table by coding, in Markdown. */
    private static String rows(String split, List<FittedVideo> videos, List<FittedVideo.Result> results) {
        TreeMap<String, List<Integer>> byCoding = new TreeMap<>();
        for (int i = 0; i < videos.size(); i++) {
            byCoding.computeIfAbsent(videos.get(i).coding(), coding -> new ArrayList<>())
                    .add(i);
        }
        StringBuilder text = new StringBuilder(
                "| " + split
                        + " | videos | gain, dB | best | share, or least dB to the input | falls of PSNR, SSIM |\n|---|---|---|---|---|---|\n");
        byCoding.forEach((coding, cases) -> text.append(row(coding, cases, videos, results)));
        return text.toString();
    }

    private static String row(
            String coding, List<Integer> cases, List<FittedVideo> videos, List<FittedVideo.Result> results) {
        double gain = 0;
        double best = 0;
        double changed = 0;
        int falls = 0;
        int fallsOfSsim = 0;
        StringBuilder which = new StringBuilder();
        boolean clean = videos.get(cases.get(0)).clean();
        for (int i : cases) {
            FittedVideo.Result result = results.get(i);
            gain += result.psnr() / cases.size();
            best += videos.get(i).best() / cases.size();
            changed = Math.max(changed, result.changed());
            boolean falling = !clean && result.psnr() < -0.01;
            boolean fallingOfSsim = result.ssim() < (clean ? -0.0001 : -0.0002);
            falls += falling ? 1 : 0;
            fallsOfSsim += fallingOfSsim ? 1 : 0;
            if (falling || fallingOfSsim) {
                which.append(String.format(
                        Locale.ROOT,
                        " %s %.3f %.4f",
                        videos.get(i).source(),
                        clean ? 0 : result.psnr(),
                        result.ssim()));
            }
        }
        String end = String.format(Locale.ROOT, "%d, %d%s |%n", falls, fallsOfSsim, which);
        return clean
                ? String.format(
                        Locale.ROOT,
                        "| %s | %d | | | %.1f dB | %s",
                        coding,
                        cases.size(),
                        10 * Math.log10(255 * 255 / Math.max(changed, 1e-9)),
                        end)
                : String.format(
                        Locale.ROOT,
                        "| %s | %d | %.3f | %.3f | %.0f %% | %s",
                        coding,
                        cases.size(),
                        gain,
                        best,
                        100 * gain / best,
                        end);
    }
}
