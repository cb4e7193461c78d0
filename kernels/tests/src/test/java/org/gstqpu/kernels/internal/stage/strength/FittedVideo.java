/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A coded video of the table by which {@link StrengthRule} is fitted.
 *
 * @param source the name of the video that was coded
 * @param coding how it was; names with {@code clean}: not at all
 * @param pictures the first pictures, in order
 */
record FittedVideo(String source, String coding, List<FittedPicture> pictures) {
    /** What a rule gains, in means over the pictures: dB of PSNR, SSIM, and what is changed, as a mean square. */
    record Result(double psnr, double ssim, double changed) {}

    boolean clean() {
        return coding.contains("clean");
    }

    /** What the rule of today does, given the pictures one after the other, as the element gives them. */
    Result played() {
        StrengthState state = new StrengthState();
        int[] tiers = new int[pictures.size()];
        for (int i = 0; i < tiers.length; i++) {
            tiers[i] = state.next(pictures.get(i).measured, true);
        }
        return at(tiers);
    }

    /** The most that one level for all pictures gains of PSNR, in dB. */
    double best() {
        double best = 0;
        for (int column = 0; column < 2 * FittedPicture.LEVELS.length; column++) {
            int[] tiers = new int[pictures.size()];
            Arrays.fill(tiers, FittedPicture.tier(column));
            best = Math.max(best, at(tiers).psnr);
        }
        return best;
    }

    private Result at(int[] tiers) {
        double psnr = 0;
        double ssim = 0;
        double changed = 0;
        for (int i = 0; i < tiers.length; i++) {
            FittedPicture picture = pictures.get(i);
            psnr += FittedPicture.at(picture.psnr, tiers[i]) - picture.psnr[0];
            ssim += FittedPicture.at(picture.ssim, tiers[i]) - picture.ssim[0];
            changed += FittedPicture.at(picture.changed, tiers[i]);
        }
        return new Result(psnr / tiers.length, ssim / tiers.length, changed / tiers.length);
    }

    static FittedVideo read(DataInputStream in) throws IOException {
        String source = in.readUTF();
        String coding = in.readUTF();
        List<FittedPicture> pictures = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            pictures.add(FittedPicture.read(in));
        }
        return new FittedVideo(source, coding, pictures);
    }

    void write(DataOutputStream out) throws IOException {
        out.writeUTF(source);
        out.writeUTF(coding);
        out.writeInt(pictures.size());
        for (FittedPicture picture : pictures) {
            picture.write(out);
        }
    }
}
