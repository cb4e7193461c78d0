package org.gstqpu.pipelines;

/**
 * Sums up how close pictures come to their references: PSNR and SSIM of luma, over any number of pictures of one size
 * or several. Belongs to one thread.
 *
 * <p>PSNR is taken from the mean squared error over all samples of all pictures. SSIM is the mean over the pictures of
 * the mean over 8x8 windows, four samples apart, without weighting, with sample variances (division by 63) and the
 * usual constants (0.01 * 255)^2 and (0.03 * 255)^2.
 */
final class PictureQuality {
    private static final int WINDOW = 8;
    private static final int WINDOW_STEP = 4;
    private static final double C1 = 0.01 * 255 * 0.01 * 255;
    private static final double C2 = 0.03 * 255 * 0.03 * 255;

    private long samples;
    private long squaredError;
    private long pictures;
    private double ssimSum;

    /**
     * Adds one picture.
     *
     * @throws IllegalArgumentException when the sizes differ, or are smaller than the 8x8 window of SSIM
     */
    void add(I420Picture reference, I420Picture picture) {
        if (!reference.isSizeOf(picture)) {
            throw new IllegalArgumentException("the reference is " + reference.width() + "x" + reference.height()
                    + ", the picture " + picture.width() + "x" + picture.height());
        }
        if (picture.width() < WINDOW || picture.height() < WINDOW) {
            throw new IllegalArgumentException(
                    "SSIM needs 8x8 samples, given " + picture.width() + "x" + picture.height());
        }
        byte[] a = reference.plane(0);
        byte[] b = picture.plane(0);
        for (int i = 0; i < a.length; i++) {
            int difference = (a[i] & 0xff) - (b[i] & 0xff);
            squaredError += (long) difference * difference;
        }
        samples += a.length;
        ssimSum += ssim(a, b, picture.width(), picture.height());
        pictures++;
    }

    private static double ssim(byte[] a, byte[] b, int width, int height) {
        double sum = 0;
        long windows = 0;
        for (int y = 0; y + WINDOW <= height; y += WINDOW_STEP) {
            for (int x = 0; x + WINDOW <= width; x += WINDOW_STEP) {
                sum += windowSsim(a, b, y * width + x, width);
                windows++;
            }
        }
        return sum / windows;
    }

    private static double windowSsim(byte[] a, byte[] b, int start, int stride) {
        int sumA = 0;
        int sumB = 0;
        int sumAa = 0;
        int sumBb = 0;
        int sumAb = 0;
        for (int row = start; row < start + WINDOW * stride; row += stride) {
            for (int i = row; i < row + WINDOW; i++) {
                int sampleA = a[i] & 0xff;
                int sampleB = b[i] & 0xff;
                sumA += sampleA;
                sumB += sampleB;
                sumAa += sampleA * sampleA;
                sumBb += sampleB * sampleB;
                sumAb += sampleA * sampleB;
            }
        }
        double n = WINDOW * WINDOW;
        double meanA = sumA / n;
        double meanB = sumB / n;
        double varianceA = (sumAa - n * meanA * meanA) / (n - 1);
        double varianceB = (sumBb - n * meanB * meanB) / (n - 1);
        double covariance = (sumAb - n * meanA * meanB) / (n - 1);
        return (2 * meanA * meanB + C1)
                * (2 * covariance + C2)
                / ((meanA * meanA + meanB * meanB + C1) * (varianceA + varianceB + C2));
    }

    long pictures() {
        return pictures;
    }

    /** In dB; infinite when every sample is equal. */
    double psnr() {
        return 10 * Math.log10(255.0 * 255.0 * samples / squaredError);
    }

    /** At most 1, which means equal. */
    double ssim() {
        return ssimSum / pictures;
    }
}
