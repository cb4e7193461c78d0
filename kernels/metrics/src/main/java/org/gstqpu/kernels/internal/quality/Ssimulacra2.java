/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/**
 * The constants of SSIMULACRA 2 (Sneyers, 2023), as libjxl's tool {@code ssimulacra2} has them. It compares XYB pictures, whose planes
 * are brought to about 0 to 1.
 */
public final class Ssimulacra2 {
    /** Greatest number of scales. Each has half the samples of the one before, across and down, rounded up. */
    public static final int SCALES = 6;

    /** Least width and height of a picture, and of a scale that another one follows. */
    public static final int LEAST = 8;

    /** Planes of a picture: X, Y, and B less Y. */
    public static final int PLANES = 3;

    /**
     * Sums of a plane: of the error of structure, of what was added at edges, of what was lost there; of each the sum and the sum of
     * fourth powers.
     */
    public static final int SUMS = 6;

    /** Keeps the term of the variances from a division by 0. */
    public static final float C2 = 0.0009f;

    /** How much each cone absorbs of linear R, G and B. */
    private static final float[] ABSORBANCE = {
        0.30f, 0.622f, 0.078f, 0.23f, 0.692f, 0.078f, 0.24342269f, 0.20476745f, 0.55180985f
    };

    /** What a cone absorbs in the dark. */
    public static final float ABSORBED_BIAS = 0.0037930734f;

    // Bring the planes of XYB to about 0 to 1.

    /** Factor of X. */
    public static final float X_FACTOR = 14;

    /** What is added to X times its factor. */
    public static final float X_OFFSET = 0.42f;

    /** What is added to Y. */
    public static final float Y_OFFSET = 0.01f;

    /** What is added to B less Y. */
    public static final float B_OFFSET = 0.55f;

    /** The bits of 1, and a third of them: a first guess of 1 / cube root has these bits less {@link #ROOT_THIRD} times the exponent. */
    public static final int ROOT_BIAS = 0x54800000;

    /** A third of the lowest bit of an exponent. */
    public static final int ROOT_THIRD = 0x002AAAAA;

    private static final double SCORE_FACTOR = 0.9562382616834844;
    private static final double SCORE_LINEAR = 2.326765642916932;
    private static final double SCORE_SQUARE = -0.020884521182843837;
    private static final double SCORE_CUBE = 6.248496625763138e-05;
    private static final double SCORE_EXPONENT = 0.6276336467831387;

    /** Weights of the norms. Order: plane, scale, 1-norm and 4-norm, and in each the errors of structure, added and lost. */
    private static final double[] WEIGHTS = {
        0,
        0.0007376606707406586,
        0,
        0,
        0.0007793481682867309,
        0,
        0,
        0.0004371155730107379,
        0,
        1.1041726426657346,
        0.00066284834129271,
        0.00015231632783718752,
        0,
        0.0016406437456599754,
        0,
        1.8422455520539298,
        11.441172603757666,
        0,
        0.0007989109436015163,
        0.000176816438078653,
        0,
        1.8787594979546387,
        10.94906990605142,
        0,
        0.0007289346991508072,
        0.9677937080626833,
        0,
        0.00014003424285435884,
        0.9981766977854967,
        0.00031949755934435053,
        0.0004550992113792063,
        0,
        0,
        0.0013648766163243398,
        0,
        0,
        0,
        0,
        0,
        7.466890328078848,
        0,
        17.445833984131262,
        0.0006235601634041466,
        0,
        0,
        6.683678146179332,
        0.00037724407979611296,
        1.027889937768264,
        225.20515300849274,
        0,
        0,
        19.213238186143016,
        0.0011401524586618361,
        0.001237755635509985,
        176.39317598450694,
        0,
        0,
        24.43300999870476,
        0.28520802612117757,
        0.0004485436923833408,
        0,
        0,
        0,
        34.77906344483772,
        44.835625328877896,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0.0008680556573291698,
        0,
        0,
        0,
        0,
        0,
        0.0005313191874358747,
        0,
        0.00016533814161379112,
        0,
        0,
        0,
        0,
        0,
        0.0004179171803251336,
        0.0017290828234722833,
        0,
        0.0020827005846636437,
        0,
        0,
        8.826982764996862,
        23.19243343998926,
        0,
        95.1080498811086,
        0.9863978034400682,
        0.9834382792465353,
        0.0012286405048278493,
        171.2667255897307,
        0.9807858872435379,
        0,
        0,
        0,
        0.0005130064588990679,
        0,
        0.00010854057858411537
    };

    private Ssimulacra2() {}

    /** How much each cone absorbs of linear R, G and B, cone by cone. */
    public static float[] absorbance() {
        return ABSORBANCE.clone();
    }

    /** Width or height of a scale of a picture of so many samples. */
    public static int samples(int samples, int scale) {
        return (samples + (1 << scale) - 1) >> scale;
    }

    /** Number of scales of a picture. */
    public static int scales(int width, int height) {
        int scales = 1;
        while (scales < SCALES && Math.min(samples(width, scales - 1), samples(height, scales - 1)) >= LEAST) {
            scales++;
        }
        return scales;
    }

    /**
     * The figure: at most 100, which means that no error is seen; below 0 for the worst pictures.
     *
     * @param means means of the {@link #SUMS} sums over all samples of a plane. Index: plane, then scale, then sum.
     * @param scales number of scales
     */
    public static double figure(double[] means, int scales) {
        double error = 0;
        // A picture with fewer scales has the first weights of the list, as in libjxl.
        int weight = 0;
        for (int at = 0; at < PLANES * scales * SUMS; at += SUMS) {
            for (int norm = 0; norm < 2; norm++) {
                for (int kind = 0; kind < SUMS; kind += 2) {
                    double mean = means[at + kind + norm];
                    error += WEIGHTS[weight] * (norm == 0 ? mean : Math.sqrt(Math.sqrt(mean)));
                    weight++;
                }
            }
        }
        error *= SCORE_FACTOR;
        error = ((SCORE_CUBE * error + SCORE_SQUARE) * error + SCORE_LINEAR) * error;
        return error > 0 ? 100 - 10 * Math.pow(error, SCORE_EXPONENT) : 100;
    }
}
