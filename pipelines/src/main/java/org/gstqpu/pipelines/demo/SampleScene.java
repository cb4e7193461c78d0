/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.demo;

import java.util.stream.IntStream;
import org.gstqpu.pipelines.media.I420Picture;

/**
 * Draws the demo's sample video, a camera pan over hills with balloons. It has textures of every scale, soft gradients and sharp
 * moving edges, and is the same in every run. The constructor draws the layers; after that, the scene is immutable and any thread
 * may draw pictures.
 */
final class SampleScene {
    /** Pictures per second for which the motion is made. */
    static final int FRAMES_PER_SECOND = 25;

    private static final int LONGEST_FRAMES = 250;
    private static final int SKY_SEED = 11;
    private static final int SUBSAMPLES = 3;

    private final int width;
    private final int height;
    private final float[] sky;
    private final Hills[] hills;
    private final Balloon[] balloons;

    SampleScene(int width, int height) {
        this.width = width;
        this.height = height;
        this.sky = drawSky();
        this.hills = new Hills[] {
            drawHills(0.56, 0.10, 0.35, 21, 0.40f, 0.50f, 0.66f, 0.10f),
            drawHills(0.66, 0.11, 0.80, 31, 0.27f, 0.42f, 0.42f, 0.22f),
            drawHills(0.78, 0.12, 1.55, 41, 0.24f, 0.40f, 0.18f, 0.40f),
            drawHills(0.93, 0.13, 2.90, 53, 0.19f, 0.26f, 0.09f, 0.62f)
        };
        this.balloons = new Balloon[] {
            new Balloon(0.22, 0.30, 0.130, 0.0011, 9, 0.85f, 0.18f, 0.12f),
            new Balloon(0.62, 0.21, 0.085, -0.0006, 7, 0.95f, 0.72f, 0.10f),
            new Balloon(0.85, 0.42, 0.052, -0.0010, 6, 0.20f, 0.36f, 0.75f)
        };
    }

    /** A layer as wide as the camera pans, with three floats per pixel (red, green, blue; 0..1), and the height of its ridge. */
    private static final class Hills {
        private final float[] rgb;
        private final int layerWidth;
        private final double[] ridge;
        private final double speed;

        Hills(float[] rgb, int layerWidth, double[] ridge, double speed) {
            this.rgb = rgb;
            this.layerWidth = layerWidth;
            this.ridge = ridge;
            this.speed = speed;
        }
    }

    /** A balloon. Sizes and speeds are in picture heights or widths. The colour is that of every other stripe; the rest are white. */
    private record Balloon(
            double x, double y, double radius, double speed, int stripes, float red, float green, float blue) {}

    private int layerWidth(double speed) {
        return width + (int) Math.ceil(speed * LONGEST_FRAMES * width / 640.0) + 2;
    }

    private float[] drawSky() {
        int layerWidth = layerWidth(0.2);
        float[] rgb = new float[3 * layerWidth * height];
        IntStream.range(0, height).parallel().forEach(y -> {
            double down = y / (double) height;
            for (int x = 0; x < layerWidth; x++) {
                double u = x / (double) height;
                double cloud = fractal(u * 2.2, down * 5.5, 6, SKY_SEED);
                double cover = smoothStep((cloud - 0.46) / 0.26) * (1 - 0.5 * down);
                double light = 0.80 + 0.35 * (fractal(u * 2.2 + 0.03, down * 5.5 - 0.05, 6, SKY_SEED) - cloud + 0.35);
                int at = 3 * (y * layerWidth + x);
                rgb[at] = (float) mix(mix(0.24, 0.88, Math.pow(down * 1.5, 1.4)), light, cover);
                rgb[at + 1] = (float) mix(mix(0.42, 0.80, Math.pow(down * 1.5, 1.2)), light * 0.98, cover);
                rgb[at + 2] = (float) mix(mix(0.72, 0.74, down), light * 0.97, cover);
            }
        });
        return rgb;
    }

    private Hills drawHills(
            double base, double swing, double speed, int seed, float red, float green, float blue, float contrast) {
        int layerWidth = layerWidth(speed);
        double[] ridge = new double[layerWidth];
        double scale = 1.2 + speed * 0.5;
        for (int x = 0; x < layerWidth; x++) {
            ridge[x] = height * (base - swing * 2 * (fractal(x * scale / height, 0.5, 7, seed) - 0.5));
        }
        float[] rgb = new float[3 * layerWidth * height];
        IntStream.range(0, height).parallel().forEach(y -> {
            for (int x = 0; x < layerWidth; x++) {
                double u = x / (double) height;
                double below = (y - ridge[x]) / height;
                double grain = 10 + 4 * speed;
                double patches = fractal(u * grain * 0.35, (below + base) * grain * 0.6, 3, seed + 1);
                double texture = fractal(u * grain, (below + base) * grain * 1.7, 6, seed + 2);
                double slope = fractal(u * grain + 0.08, (below + base) * grain * 1.7 + 0.1, 6, seed + 2) - texture;
                double light = 1 + contrast * (1.6 * (texture - 0.5) + 4 * slope) - 0.5 * contrast * below;
                int at = 3 * (y * layerWidth + x);
                rgb[at] = (float) (red * light * (0.75 + 0.5 * patches));
                rgb[at + 1] = (float) (green * light * (0.85 + 0.3 * patches));
                rgb[at + 2] = (float) (blue * light);
            }
        });
        return new Hills(rgb, layerWidth, ridge, speed);
    }

    /**
     * Draws picture number {@code frame} (0 to 249).
     *
     * @throws IllegalArgumentException when the frame number is out of range or the picture is of another size
     */
    void draw(int frame, I420Picture picture) {
        if (frame < 0 || frame >= LONGEST_FRAMES) {
            throw new IllegalArgumentException("the scene has frames 0 to " + (LONGEST_FRAMES - 1) + ", not " + frame);
        }
        if (picture.width() != width || picture.height() != height) {
            throw new IllegalArgumentException("the scene is " + width + "x" + height);
        }
        float[] rgb = new float[3 * width * height];
        IntStream.range(0, height).parallel().forEach(y -> {
            drawRow(sky, layerWidth(0.2), scroll(0.2, frame), y, rgb, null);
            for (Hills layer : hills) {
                drawRow(layer.rgb, layer.layerWidth, scroll(layer.speed, frame), y, rgb, layer.ridge);
            }
        });
        for (Balloon balloon : balloons) {
            drawBalloon(balloon, frame, rgb);
        }
        toI420(rgb, picture);
    }

    private double scroll(double speed, int frame) {
        return speed * frame * width / 640.0;
    }

    private void drawRow(float[] layer, int layerWidth, double scroll, int y, float[] rgb, double[] ridge) {
        int whole = (int) scroll;
        float part = (float) (scroll - whole);
        for (int x = 0; x < width; x++) {
            float opacity = 1;
            if (ridge != null) {
                double top = ridge[x + whole] * (1 - part) + ridge[x + whole + 1] * part;
                opacity = (float) Math.max(0, Math.min(1, y + 0.5 - top));
            }
            int from = 3 * (y * layerWidth + x + whole);
            int to = 3 * (y * width + x);
            for (int c = 0; c < 3; c++) {
                float value = layer[from + c] * (1 - part) + layer[from + 3 + c] * part;
                rgb[to + c] += opacity * (value - rgb[to + c]);
            }
        }
    }

    private void drawBalloon(Balloon balloon, int frame, float[] rgb) {
        double radius = balloon.radius * height;
        double centreX = (balloon.x + balloon.speed * frame) * width;
        double centreY = (balloon.y + 0.012 * Math.sin(frame * 0.09 + balloon.stripes)) * height;
        int left = Math.max(0, (int) (centreX - radius) - 1);
        int right = Math.min(width, (int) (centreX + radius) + 2);
        int top = Math.max(0, (int) (centreY - radius) - 1);
        int bottom = Math.min(height, (int) (centreY + radius * 1.8) + 2);
        for (int y = top; y < bottom; y++) {
            for (int x = left; x < right; x++) {
                blendBalloonPixel(
                        balloon, (x - centreX) / radius, (y - centreY) / radius, 1 / radius, rgb, 3 * (y * width + x));
            }
        }
    }

    /**
     * Blends the balloon into a pixel, in proportion to the subsamples of the pixel that the balloon covers. Positions are in
     * radii from the balloon's centre.
     */
    private static void blendBalloonPixel(Balloon balloon, double u, double v, double pixel, float[] rgb, int to) {
        float[] colour = new float[3];
        int hits = 0;
        for (int row = 0; row < SUBSAMPLES; row++) {
            for (int column = 0; column < SUBSAMPLES; column++) {
                double partU = u + pixel * (column + 0.5) / SUBSAMPLES;
                double partV = v + pixel * (row + 0.5) / SUBSAMPLES;
                if (addBalloonColour(balloon, partU, partV, colour)) {
                    hits++;
                }
            }
        }
        float behind = 1 - hits / (float) (SUBSAMPLES * SUBSAMPLES);
        for (int c = 0; c < 3; c++) {
            rgb[to + c] = rgb[to + c] * behind + colour[c] / (SUBSAMPLES * SUBSAMPLES);
        }
    }

    /** Adds the colour at a point to {@code colour}. Returns false if neither balloon nor basket is at that point. */
    private static boolean addBalloonColour(Balloon balloon, double u, double v, float[] colour) {
        // The envelope is a ball in its upper half and tapers in its lower half. The basket hangs below it.
        double halfWidth = v < 0 ? Math.sqrt(Math.max(0, 1 - v * v)) : Math.max(0.22, 1 - 0.62 * v * v);
        if (v > -1 && v < 1.2 && Math.abs(u) < halfWidth) {
            double angle = Math.asin(u / halfWidth);
            boolean white = (int) ((angle / Math.PI + 0.5) * balloon.stripes) % 2 == 1;
            double shade = 0.45 + 0.55 * Math.max(0, Math.cos(angle + 0.6)) * (1 - 0.25 * Math.max(0, v));
            colour[0] += (float) (shade * (white ? 0.95 : balloon.red));
            colour[1] += (float) (shade * (white ? 0.93 : balloon.green));
            colour[2] += (float) (shade * (white ? 0.88 : balloon.blue));
            return true;
        }
        if (v > 1.42 && v < 1.7 && Math.abs(u) < 0.17) {
            double shade = 0.8 - u;
            colour[0] += (float) (shade * 0.42);
            colour[1] += (float) (shade * 0.27);
            colour[2] += (float) (shade * 0.12);
            return true;
        }
        return false;
    }

    /** Converts to ITU-R BT.709, limited range. A chroma sample is the mean of its pixels, of which there are up to four. */
    private void toI420(float[] rgb, I420Picture picture) {
        byte[] luma = picture.plane(0);
        byte[] cb = picture.plane(1);
        byte[] cr = picture.plane(2);
        int chromaWidth = picture.rowSamples(1);
        IntStream.range(0, picture.rows(1)).parallel().forEach(chromaY -> {
            for (int chromaX = 0; chromaX < chromaWidth; chromaX++) {
                double cbSum = 0;
                double crSum = 0;
                int pixels = 0;
                for (int y = 2 * chromaY; y < Math.min(height, 2 * chromaY + 2); y++) {
                    for (int x = 2 * chromaX; x < Math.min(width, 2 * chromaX + 2); x++) {
                        int at = 3 * (y * width + x);
                        double red = unit(rgb[at]);
                        double green = unit(rgb[at + 1]);
                        double blue = unit(rgb[at + 2]);
                        double bright = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
                        luma[y * width + x] = (byte) Math.round(16 + 219 * bright);
                        cbSum += (blue - bright) / 1.8556;
                        crSum += (red - bright) / 1.5748;
                        pixels++;
                    }
                }
                cb[chromaY * chromaWidth + chromaX] = (byte) Math.round(128 + 224 * cbSum / pixels);
                cr[chromaY * chromaWidth + chromaX] = (byte) Math.round(128 + 224 * crSum / pixels);
            }
        });
    }

    private static double unit(double value) {
        return Math.max(0, Math.min(1, value));
    }

    private static double mix(double a, double b, double share) {
        return a + (b - a) * unit(share);
    }

    private static double smoothStep(double x) {
        double t = unit(x);
        return t * t * (3 - 2 * t);
    }

    /** Noise of several octaves, 0..1 with mean 0.5. Each octave is half as strong and twice as fine as the one before. */
    private static double fractal(double x, double y, int octaves, int seed) {
        double sum = 0;
        double amplitude = 0.5;
        double total = 0;
        for (int octave = 0; octave < octaves; octave++) {
            sum += amplitude * noise(x, y, seed + 1000 * octave);
            total += amplitude;
            amplitude *= 0.5;
            x *= 2.03;
            y *= 2.03;
        }
        return sum / total;
    }

    /** Smooth interpolation between the values of {@link #corner} at whole coordinates. */
    private static double noise(double x, double y, int seed) {
        int wholeX = (int) Math.floor(x);
        int wholeY = (int) Math.floor(y);
        double u = smoothStep(x - wholeX);
        double v = smoothStep(y - wholeY);
        double above = mix(corner(wholeX, wholeY, seed), corner(wholeX + 1, wholeY, seed), u);
        double below = mix(corner(wholeX, wholeY + 1, seed), corner(wholeX + 1, wholeY + 1, seed), u);
        return mix(above, below, v);
    }

    private static double corner(int x, int y, int seed) {
        int hash = x * 0x27d4eb2d ^ y * 0x165667b1 ^ seed * 0x9e3779b1;
        hash = (hash ^ (hash >>> 15)) * 0x85ebca6b;
        hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
        return ((hash ^ (hash >>> 16)) >>> 8) / (double) (1 << 24);
    }
}
