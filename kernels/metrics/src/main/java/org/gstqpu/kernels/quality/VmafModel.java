/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A model of VMAF: a support vector regression with a radial basis function, from the features of a picture to a score. The
 * arithmetic is libvmaf's, in double. Immutable; any thread may use it.
 *
 * <p>This module reads no model files. {@code org.gstqpu.pipelines} reads those of libvmaf, and holds those of VMAF v1 and v0.6.1.
 */
public final class VmafModel {
    /** No number of a model is larger, and none that is divided by is smaller than one divided by it: so all scores are finite. */
    private static final double LARGEST = 1e30;

    /**
     * The line by which a value is scaled.
     *
     * @param slope what the value is multiplied with; up to 1e30, and at least 1e-30
     * @param intercept what is added then; up to 1e30
     */
    public record Line(double slope, double intercept) {
        /** A line that changes nothing. */
        public static final Line NONE = new Line(1, 0);

        /**
         * Checks both.
         *
         * @throws IllegalArgumentException when one is out of its range
         */
        public Line {
            requireSane("slope and intercept of a line", slope, intercept);
            if (Math.abs(slope) < 1 / LARGEST) {
                throw new IllegalArgumentException("the slope of a line is " + slope);
            }
        }
    }

    /**
     * A point of the model in the space of scaled features.
     *
     * @param weight its share in the sum; up to 1e30
     * @param at its place, one number for each feature of the model; up to 1e30
     */
    public record SupportVector(double weight, List<Double> at) {
        /**
         * Takes a copy of the place.
         *
         * @throws IllegalArgumentException when a number is out of its range
         */
        public SupportVector {
            at = List.copyOf(at);
            requireSane("a support vector", weight);
            requireSane(
                    "a support vector",
                    at.stream().mapToDouble(Double::doubleValue).toArray());
        }
    }

    /**
     * A corner of a curve of straight pieces.
     *
     * @param in a score before; up to 1e30
     * @param out what becomes of it; up to 1e30
     */
    public record Knot(double in, double out) {
        /**
         * Checks both.
         *
         * @throws IllegalArgumentException when one is out of its range
         */
        public Knot {
            requireSane("a knot of a curve", in, out);
        }
    }

    /**
     * What becomes of the regression's score, in this order: a polynomial, a curve of straight pieces, a limit.
     *
     * @param p0 constant part of the polynomial; up to 1e30
     * @param p1 factor of the score; up to 1e30
     * @param p2 factor of the score's square; up to 1e30
     * @param knots corners of the curve, whose first and last pieces go on beyond; none for no curve, else at least two that rise
     * @param atMostInput true if the result is not greater than the score before
     * @param atLeastInput true if the result is not less than the score before
     */
    public record Transform(
            double p0, double p1, double p2, List<Knot> knots, boolean atMostInput, boolean atLeastInput) {
        /** No change. */
        public static final Transform NONE = new Transform(0, 1, 0, List.of(), false, false);

        /**
         * Checks the knots and takes a copy of them.
         *
         * @throws IllegalArgumentException when a number is out of its range, there is one knot only, or they do not rise
         */
        public Transform {
            requireSane("the polynomial of a score", p0, p1, p2);
            knots = List.copyOf(knots);
            if (knots.size() == 1) {
                throw new IllegalArgumentException("a curve has at least 2 knots, given 1");
            }
            for (int i = 1; i < knots.size(); i++) {
                Knot before = knots.get(i - 1);
                Knot knot = knots.get(i);
                if (knot.in() - before.in() < 1 / LARGEST || knot.out() < before.out()) {
                    throw new IllegalArgumentException(
                            "the knots of a curve rise, given " + before + " before " + knot);
                }
            }
        }

        private double apply(double score) {
            double changed = p0 + p1 * score + p2 * score * score;
            if (!knots.isEmpty()) {
                changed = onCurve(changed);
            }
            if (atMostInput) {
                changed = Math.min(changed, score);
            }
            return atLeastInput ? Math.max(changed, score) : changed;
        }

        private double onCurve(double score) {
            int piece = 1;
            while (piece < knots.size() - 1 && score > knots.get(piece).in()) {
                piece++;
            }
            Knot from = knots.get(piece - 1);
            Knot to = knots.get(piece);
            double slope = (to.out() - from.out()) / (to.in() - from.in());
            return from.out() + (score - from.in()) * slope;
        }
    }

    private final String name;
    private final List<QualityFeature> features;
    private final MetricOptions options;
    private final List<Line> scaling;
    private final Line scoreScaling;
    private final double gamma;
    private final double rho;
    private final double[] weights;

    /** The places of all support vectors, one behind the other. */
    private final double[] places;

    private final Transform transform;
    private final double least;
    private final double greatest;
    private final double chromaCorrection;
    private final int chroma;
    private final int detail;

    /**
     * A model.
     *
     * @param name for tables and logs, such as {@code vmaf_v0.6.1}
     * @param features what the score is computed from, in the model's order
     * @param options with which CAMBI and SpEED are measured for it
     * @param scaling how each feature is scaled
     * @param scoreScaling how scores were scaled when the model was trained; undone here
     * @param gamma how steeply the basis function falls; up to 1e30, above 0
     * @param rho what is subtracted from the sum over the support vectors; up to 1e30
     * @param vectors the support vectors
     * @param transform what becomes of the regression's score
     * @param least lesser scores become this one; may be infinite
     * @param greatest greater scores become this one; may be infinite
     * @param chromaCorrection where chroma gives 0, as where it is flat, its difference is this times what ADM 3 lacks to 1; 0 for no
     *     correction
     * @throws IllegalArgumentException when a number is out of its range, least is not below greatest, the numbers of features, lines
     *     and places do not fit, or a correction has not one feature of chroma and one of ADM 3
     */
    public VmafModel(
            String name,
            List<QualityFeature> features,
            MetricOptions options,
            List<Line> scaling,
            Line scoreScaling,
            double gamma,
            double rho,
            List<SupportVector> vectors,
            Transform transform,
            double least,
            double greatest,
            double chromaCorrection) {
        requireSane("gamma, rho and the correction of chroma", gamma, rho, chromaCorrection);
        if (gamma <= 0) {
            throw new IllegalArgumentException("gamma is above 0, given " + gamma);
        }
        if (!(least < greatest)) {
            throw new IllegalArgumentException(
                    "a score is cut off below and above, given " + least + " and " + greatest);
        }
        int dimensions = features.size();
        if (scaling.size() != dimensions) {
            throw new IllegalArgumentException(
                    "the model has " + dimensions + " features and scales " + scaling.size() + " of them");
        }
        this.name = name;
        this.features = List.copyOf(features);
        this.options = options;
        this.scaling = List.copyOf(scaling);
        this.scoreScaling = scoreScaling;
        this.gamma = gamma;
        this.rho = rho;
        this.transform = transform;
        this.least = least;
        this.greatest = greatest;
        this.chromaCorrection = chromaCorrection;
        chroma = chromaCorrection == 0 ? -1 : only("speed_chroma");
        detail = chromaCorrection == 0 ? -1 : only("integer_adm3");
        weights = new double[vectors.size()];
        places = new double[vectors.size() * dimensions];
        for (int i = 0; i < weights.length; i++) {
            SupportVector vector = vectors.get(i);
            if (vector.at().size() != dimensions) {
                throw new IllegalArgumentException("the model has " + dimensions + " features, and its support vector "
                        + i + " has " + vector.at().size());
            }
            weights[i] = vector.weight();
            for (int j = 0; j < dimensions; j++) {
                places[i * dimensions + j] = vector.at().get(j);
            }
        }
    }

    private static void requireSane(String what, double... numbers) {
        for (double number : numbers) {
            if (!(Math.abs(number) <= LARGEST)) {
                throw new IllegalArgumentException(what + ": " + number + " is no number to compute with");
            }
        }
    }

    private int only(String prefix) {
        int[] found = IntStream.range(0, features.size())
                .filter(i -> features.get(i).label().startsWith(prefix))
                .toArray();
        if (found.length != 1) {
            throw new IllegalArgumentException(
                    "a model that corrects chroma has one feature " + prefix + ", this one has " + found.length);
        }
        return found[0];
    }

    /** Name for tables and logs. */
    public String name() {
        return name;
    }

    /** What the score is computed from, in the model's order. */
    public List<QualityFeature> features() {
        return features;
    }

    /** The options that a meter must have for this model, if CAMBI or SpEED is one of its {@link #metrics()}. */
    public MetricOptions options() {
        return options;
    }

    /** The metrics that a meter must measure for this model. */
    public Set<QualityMetric> metrics() {
        Set<QualityMetric> metrics = EnumSet.noneOf(QualityMetric.class);
        features.forEach(feature -> metrics.add(feature.metric()));
        return Collections.unmodifiableSet(metrics);
    }

    /**
     * The score of a picture. The motion of pictures beside it counts, if the log has it.
     *
     * @param picture its number in the log, from 0
     * @throws IndexOutOfBoundsException when there is no such picture
     * @throws IllegalArgumentException when the log lacks a feature of this model
     */
    public double score(QualityLog log, int picture) {
        double[] values = new double[features.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = log.get(picture, features.get(i));
        }
        return score(values);
    }

    /**
     * The score that follows from these features.
     *
     * @param values one for each of {@link #features()}
     * @throws IllegalArgumentException when there are more or fewer
     */
    public double score(double... values) {
        int dimensions = features.size();
        if (values.length != dimensions) {
            throw new IllegalArgumentException(
                    "the model " + name + " has " + dimensions + " features, given " + values.length);
        }
        double[] scaled = new double[dimensions];
        for (int i = 0; i < dimensions; i++) {
            Line line = scaling.get(i);
            double value = i == chroma && values[i] == 0 ? chromaCorrection * (1 - values[detail]) : values[i];
            scaled[i] = line.slope() * value + line.intercept();
        }
        double sum = 0;
        int at = 0;
        for (double weight : weights) {
            double distance = 0;
            for (int i = 0; i < dimensions; i++) {
                double difference = scaled[i] - places[at++];
                distance += difference * difference;
            }
            sum += weight * Math.exp(-gamma * distance);
        }
        double score = (sum - rho - scoreScaling.intercept()) / scoreScaling.slope();
        return Math.min(Math.max(transform.apply(score), least), greatest);
    }
}
