// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Chooses the tier of a picture from the histograms of strength/measure.comp and from the pictures before it, then copies the
// parameters of that tier to where the filters read them. Computes the same integers as StrengthState, by the tables of StrengthRule.
// Runs as one invocation. Clears the histograms for the next picture.

layout(local_size_x_id = 0) in;

// Words of the parameters of a tier.
layout(constant_id = 1) const uint TIER_WORDS = 128;
// The word among the parameters in which temporal fusion reads on what combs the coefficients stand.
layout(constant_id = 2) const uint COMBS_WORD = 0;

#include "strength/histograms.glsl"

const uint OFFSETS = 32;

layout(push_constant) uniform StrengthGrid {
    // Where the first measured block began: column | row << 3.
    uint offset;
} grid;

layout(std430, set = 0, binding = 2) writeonly restrict buffer ChosenParameters {
    uint parameters[];
};
layout(std430, set = 0, binding = 3) restrict buffer StrengthFindings {
    // For the CPU: the last estimate, the last offset, and the offsets of the last pictures.
    int estimate;
    uint foundOffset;
    uint offsets[OFFSETS];
    // As StrengthRule.words() gives it.
    int rule[240];
} findings;
// The picture's own: what each tier means for the filters.
layout(std430, set = 0, binding = 4) readonly restrict buffer StrengthLadderTable {
    // Another number than that of the ladder before, where it is another ladder.
    uint generation;
    // Whether shrinkage runs.
    uint shrinks;
    uint tiers[];
} ladder;

const int COMB_PICTURES = 300;
const int BUCKET_PICTURES = 256;
const int LEAST_COMB_STEP = 34;
const int DRAWN = 256;
const int CLEARLY_DRAWN = 32;
const int POSITIONS = 16;
const int CLEARLY_BEYOND = POSITIONS / 2;
const int LEVELS = 39;
const int FRACTIONS = 64;
const uint LOST_BINS = 2;
const uint FIRST_NON_ZERO_BIN = 3;
const uint MIDDLE_BIN = 8;
const uint LARGE_BIN = 16;

const int LEAST_LOSS_STEP = 1024;
const int UNIT = 16;
// StrengthRule.Coding, and the number of words of each.
const int INTRA = 0;
const int PREDICTED = 1;
const int PREDICTED_FLAT = 2;
const int BLOCKS_8 = 3;
const int BLOCKS_4 = 4;
const int SCALED = 5;
const int ENLARGED = 6;
const int CROPPED = 7;
const int CODINGS = 8;
const int WEIGHTS = 10;
const int FIRST_WEIGHT = 3;
const int LEAST_EXCESS = 4;
const int OCTAVE = 16;
const int MEAN = 16;
const int MEAN_PICTURES = 8;
const int ALL_INTRA = 1024;
const int CHANCE_EXCESS = 1;
const int SURE_EXCESS = 8;
const int CHANCE_SIZE = 13;
const int SURE_SIZE = 8;
const int MOST_EDGE = 160;
const int SURE_EDGE = 32;
const int LEAST_MISPLACED = 64;
const int OWN_EXCESS = 80;
const int OWN_LOSS = 20;
const int EDGE_BY_LOSS = 8;
const int LEAST_NATURAL = 32;
const int CHANCE_LOSS = 40;
const int SURE_LOSS = 40;
const int MOST_SCALED_8 = 13;
const int SURE_SCALED_8 = 3;
const int MOST_SCALED_4 = 20;
const int SURE_SCALED_4 = 4;
const int CHANCE_ENLARGED = 40;
const int SURE_ENLARGED = 16;
const int LEAST_GROUND = 20;
const int SURE_GROUND = 3;
const int MOST_ON_GROUND = 48;
const int SURE_ON_GROUND = 8;
const int MOST_SMEARED = 60;
const int SURE_SHARP = 16;
const int LEAST_WIDE = 68;
const int MOST_WIDE = 108;
const int MOST_ALONE = 132;
const int SURE_WIDE = 2;
const int LEAST_SMEARED = 112;
const int SURE_SMEARED = 16;
const int CHANCE_SMEARED = 88;
const int SURE_ON_SMEARED = 24;
const int MOST_TEXTURE = 220;
const int SURE_TEXTURE = 60;
const int CHANCE_BLOCKS_8 = 10;
const int SURE_BLOCKS_8 = 4;
const int CHANCE_BLOCKS_4 = 16;
const int SURE_BLOCKS_4 = 7;
const int LESS_FOR_DRAWINGS = 3 * POSITIONS;
const int MOST_PICTURES = 256;
const int MOST_LEVEL = 36;
const int SURE = 64;
const int CHANCE = 72;
const int DOUBT = 192;
const int LEAST_SIZE = 16;
const int MOST_SIZE = 192;
const int MOST_EXCESS = 256;
const int OTHER_PHASES = 6;
// Of EnlargedSearch.
const int LEAST_ENLARGED = 4;
const int MOST_ENLARGED = 1024;
const int SEARCH_PICTURES = 8;
const int LEAST_STEPS = 192;

int begin(int bin) {
    return bin < 8 ? bin : bin < 20 ? 2 * bin - 8 : 4 * bin - 48;
}

int width(int bin) {
    return bin < 8 ? 1 : bin < 20 ? 2 : 4;
}

// The size, in 1/16 of a sample value, below which "wanted" coefficients lie.
int quantile(uint kind, int wanted) {
    int bin = 0;
    int below = 0;
    int here = int(counts[kind]);
    [[dont_unroll]] while (bin < int(BINS) - 1 && below + here < wanted) {
        below += here;
        bin++;
        here = int(counts[kind + bin]);
    }
    return 8 * begin(bin) + (here == 0 ? 0 : 8 * width(bin) * (wanted - below) / here);
}

int sum(uint kind, uint first, uint end) {
    int all = 0;
    [[dont_unroll]] for (uint bin = first; bin < end; bin++) {
        all += int(counts[kind + bin]);
    }
    return all;
}

int lost(uint aligned, uint shifted) {
    int all = sum(aligned, 0, BINS);
    int zeros = sum(aligned, 0, LOST_BINS);
    int kept = all - zeros;
    int size = quantile(shifted, zeros);
    bool byChance = (all - sum(shifted, 0, LOST_BINS) - kept) * LEAST_LOSS_STEP < kept * size;
    return byChance ? min(size, UNIT) : size;
}

// GridSearch.follow
int followSum(int age, int older, int here) {
    return age == 0 ? SEARCH_PICTURES * here
        : age == 1 ? older / 4 + 3 * SEARCH_PICTURES / 4 * here : older + here - older / SEARCH_PICTURES;
}

// The phase that stands out among columns or rows, as GridSearch.find; "before" if none does.
uint findPhase(uint first, uint before, int age) {
    uint best = 0;
    int all = 0;
    int most = -1;
    int second = 0;
    [[dont_unroll]] for (uint phase = 0; phase < PHASES; phase++) {
        int now = followSum(age, memory.stepSums[first + phase], int(counts[STEPS + first + phase]));
        memory.stepSums[first + phase] = now;
        memory.sizeSums[first + phase] = followSum(age, memory.sizeSums[first + phase], int(counts[SIZES + first + phase]));
        all += now;
        second = now > most ? max(most, 0) : max(second, now);
        best = now > most ? phase : best;
        most = max(most, now);
    }
    bool clear = most >= LEAST_STEPS && 35 * most >= 9 * (all - most) && 3 * most >= 4 * second;
    return clear ? best : before;
}

// GridSearch.onGrid, of steps in x and of sizes in y.
ivec2 onGrid(uint offset, uint aside) {
    uint column = ((offset & 7) + aside) % PHASES;
    uint row = PHASES + ((offset >> 3) + aside) % PHASES;
    return ivec2(memory.stepSums[column] + memory.stepSums[row], memory.sizeSums[column] + memory.sizeSums[row]);
}

ivec2 everywhere() {
    ivec2 all = ivec2(0);
    [[dont_unroll]] for (uint phase = 0; phase < 2 * PHASES; phase++) {
        all += ivec2(memory.stepSums[phase], memory.sizeSums[phase]);
    }
    return all;
}

// EnlargedSearch.excess
int excessOf(int more, int expected, int chance) {
    return 64 * (more - chance) / (expected + chance);
}

// The pitch that stands out among columns or rows, as EnlargedSearch.find: its excess, how many more steps lie on its grid, how many
// are expected there, and which pitch it is.
ivec4 findPitch(uint direction, int age) {
    int steps = followSum(age, memory.wideSums[direction], int(counts[WIDE_STEPS + direction]));
    memory.wideSums[direction] = steps;
    ivec4 best = ivec4(0);
    int most = 0;
    [[dont_unroll]] for (uint pitch = 0; pitch < PITCHES; pitch++) {
        uint at = direction * PITCHES + pitch;
        int more = followSum(age, memory.gridSums[at], int(counts[ON_GRIDS + at]));
        memory.gridSums[at] = more;
        int expected = (steps >> 5) * (int(frequencies[pitch]) >> 6) >> 8;
        int excess = excessOf(more, expected, CHANCE);
        if (pitch == 0 || 4 * excess > 5 * most) {
            best = ivec4(excess, more, expected, pitch);
            most = max(excess, 0);
        }
    }
    return best;
}

int sizeOf(int sizes, int steps) {
    return clamp(16 * sizes / steps, LEAST_SIZE, MOST_SIZE);
}

int logarithm(int value) {
    int octave = findMSB(value);
    return OCTAVE * (octave - 1) + (OCTAVE * value >> octave);
}

// What StrengthRule.Measure names.
struct Measures {
    int edge, natural, excess, lost8, lost4, comb, comb8, most4;
};

int weighed(int at, int value) {
    return findings.rule[at] * logarithm(max(value, 1));
}

// StrengthRule.position of a coding.
int positionFor(int coding, Measures m, int texture) {
    int at = FIRST_WEIGHT + WEIGHTS * coding;
    int octaves = weighed(at + 1, m.edge) + weighed(at + 2, m.natural) + weighed(at + 3, max(m.excess, LEAST_EXCESS))
        + weighed(at + 4, m.lost8) + weighed(at + 5, m.lost4) + weighed(at + 6, m.comb) + weighed(at + 7, m.comb8)
        + weighed(at + 8, m.most4);
    return findings.rule[at] + octaves / OCTAVE + findings.rule[at + 9] * texture / 100;
}

int surely(int beyondChance, int sure) {
    return clamp(SURE * beyondChance / sure, 0, SURE);
}

int follow(bool anew, int age, int before, int stepSize) {
    int here = MEAN * stepSize;
    return anew ? here : age == 1 ? (before + 3 * here) / 4 : before + (here - before) / MEAN_PICTURES;
}

uint gapEnd(int stepSize) {
    int end = max(stepSize * 3 / 40, int(FIRST_NON_ZERO_BIN) + 1);
    int bin = int(FIRST_NON_ZERO_BIN);
    [[dont_unroll]] while (bin < int(BINS) && begin(bin) + width(bin) <= end) {
        bin++;
    }
    return uint(bin);
}

// The last but one of the rule's values from "first" on, or the last one that is not larger, counted from "first".
int before(int first, int values, int value) {
    int index = 0;
    [[dont_unroll]] while (index < values - 2 && value >= findings.rule[first + index + 1]) {
        index++;
    }
    return index;
}

// How far a value lies from the rule's value at "at" to the next one.
int fractionAt(int at, int value) {
    int here = findings.rule[at];
    int next = findings.rule[at + 1];
    return FRACTIONS * max(0, min(value, next) - here) / (next - here);
}

int between(int at, int fraction) {
    return findings.rule[at] * (FRACTIONS - fraction) + findings.rule[at + 1] * fraction;
}

// StrengthRule.position of drawings, and of pictures without shrinkage.
int positionOf(bool shrinks, bool comb, bool drawing, int stepSize, int texture) {
    int textures = findings.rule[0];
    int combSteps = findings.rule[1];
    int otherSteps = findings.rule[2];
    int texturesAt = FIRST_WEIGHT + CODINGS * WEIGHTS;
    int combAt = texturesAt + textures;
    int otherAt = combAt + combSteps;
    int tablesAt = otherAt + otherSteps;
    int steps = comb ? combSteps : otherSteps;
    int stepsAt = comb ? combAt : otherAt;
    int column = before(stepsAt, steps, stepSize);
    int across = fractionAt(stepsAt + column, stepSize);
    // Drawings have a single row, after those of the textures, or alone.
    bool single = drawing || shrinks;
    int row = single ? textures : before(texturesAt, textures, texture);
    int down = single ? 0 : fractionAt(texturesAt + row, texture);
    int at = tablesAt + column
        + (shrinks ? (comb ? 0 : combSteps)
                   : combSteps + otherSteps + (comb ? 0 : (textures + 1) * combSteps) + row * steps);
    int nextRow = single ? at : at + steps;
    return (between(at, across) * (FRACTIONS - down) + between(nextRow, across) * down) / (FRACTIONS * FRACTIONS);
}

// Whether half of the blocks have another brightness than in the picture before. Then keeps this picture's brightness.
bool isCut() {
    int blocks = 0;
    int moved = 0;
    [[dont_unroll]] for (uint bin = 0; bin < LUMA_BINS; bin++) {
        int now = int(counts[LUMA + bin]);
        blocks += now;
        moved += abs(now - memory.luma[bin]);
        memory.luma[bin] = now;
    }
    return moved > blocks;
}

void main() {
    int step8 = lost(ALIGNED_8, SHIFTED_8);
    int step4 = lost(ALIGNED_4, SHIFTED_4);
    int stepOfTexture = quantile(TEXTURE, sum(ALIGNED_TEXTURE, 0, LOST_BINS));
    int flats = sum(TEXTURE, 0, LOST_BINS);
    int small = sum(TEXTURE, LOST_BINS, MIDDLE_BIN);
    int middle = sum(TEXTURE, MIDDLE_BIN, LARGE_BIN);
    int large = sum(TEXTURE, LARGE_BIN, BINS);
    int all = flats + small + middle + large;
    bool noise = 5 * flats < 2 * all && 20 * large < 7 * middle;
    int textureHere = 1000 * max(3 * middle - (noise ? 0 : small), 0) / max(3 * all, 1);
    bool flatWithEdges = 4 * flats >= 3 * all && 3 * large > 2 * small;
    bool text = 5 * flats >= all && large > 2 * (small + middle);
    int drawn = flatWithEdges || text ? DRAWN : 0;
    int aligned = sum(ALIGNED_8, FIRST_NON_ZERO_BIN, BINS);
    int shifted = sum(SHIFTED_8, FIRST_NON_ZERO_BIN, BINS);
    uint end = gapEnd(step8);
    int alignedInGap = sum(ALIGNED_8, FIRST_NON_ZERO_BIN, end);
    int shiftedInGap = max(sum(SHIFTED_8, FIRST_NON_ZERO_BIN, end), 1);
    bool comb = step8 > LEAST_COMB_STEP && 5 * alignedInGap * shifted < shiftedInGap * aligned;
    bool looped = 3 * alignedInGap * shifted > 4 * shiftedInGap * aligned;

    bool cut = isCut() || memory.begun == 0;
    bool moved = grid.offset != memory.offsetBefore;
    bool anew = cut || moved;
    uint offsetFound = memory.foundOffset;
    int age = cut ? 0 : min(memory.age + 1, 2);
    offsetFound = findPhase(0, offsetFound & 7, age) | findPhase(PHASES, offsetFound >> 3, age) << 3;
    ivec4 across = findPitch(0, age);
    ivec4 down = findPitch(1, age);
    int enlarged = min(across.x, down.x) < LEAST_ENLARGED || (across.w == UNSCALED && down.w == UNSCALED)
        ? 0
        : clamp(excessOf(across.y + down.y, across.z + down.z, 2 * CHANCE), 0, MOST_ENLARGED);
    int combStep = anew ? 0 : memory.combStep;
    int comb8 = anew ? 0 : memory.comb8;
    int combAge = anew ? 0 : memory.combAge;
    int stepSize = anew ? 0 : memory.stepSize;
    int stepBefore = anew ? 0 : memory.stepBefore;
    int bucketAge = anew ? 0 : memory.bucketAge;
    int texture = anew ? textureHere : memory.texture;
    texture = textureHere > texture ? texture + (textureHere - texture + 3) / 4 : max(texture - 1, textureHere);
    int drawing = anew ? drawn : memory.drawing;
    drawing += (drawn - drawing) / 4;
    combAge++;
    if (comb) {
        int combHere = max(3 * step8 / 4, min(stepOfTexture, 3 * step8 / 2));
        comb8 = combStep == 0 ? step8 : comb8 + (step8 - comb8) / 4;
        combStep = combStep == 0 ? combHere : combStep + (combHere - combStep) / 4;
        combAge = 0;
    } else if (combAge > COMB_PICTURES) {
        combStep = 0;
    }
    int seen = looped ? 0 : max(step8, min(step4, 3 * max(step8, stepOfTexture) / 2));
    stepSize = max(stepSize, seen);
    bucketAge++;
    if (bucketAge == BUCKET_PICTURES) {
        stepBefore = stepSize;
        stepSize = seen;
        bucketAge = 0;
    }
    bool onComb = combStep > 0;
    int found = onComb ? combStep : max(stepSize, stepBefore);
    int clearly = anew ? 0 : memory.isDrawing != 0 ? -CLEARLY_DRAWN : CLEARLY_DRAWN;
    bool isDrawing = 2 * drawing > DRAWN + 2 * clearly;
    int mean8 = follow(anew, age, memory.mean8, step8);
    int mean4 = follow(anew, age, memory.mean4, step4);
    int most4 = max(MEAN * step4, anew ? 0 : memory.most4 - memory.most4 / MOST_PICTURES);
    int intraHere = comb ? ALL_INTRA : 0;
    int intra = anew || age < 2 ? intraHere : memory.intra + (intraHere - memory.intra) / MEAN_PICTURES;
    int position = ladder.shrinks != 0 && !isDrawing ? 0 : positionOf(ladder.shrinks != 0, onComb, isDrawing, found, texture);
    if (ladder.shrinks != 0 && !(isDrawing && onComb)) {
        int footage = 0;
        ivec2 on8 = onGrid(offsetFound, 0);
        ivec2 on4 = onGrid(offsetFound, 4);
        ivec2 everySteps = everywhere();
        ivec2 off = (everySteps - on8 - on4) / OTHER_PHASES;
        int excess4 = on4.x - off.x - CHANCE;
        bool quarters = 4 * excess4 >= on8.x - off.x - CHANCE && 32 * excess4 >= off.x + CHANCE;
        ivec2 on = quarters ? (on8 + on4) / 2 : on8;
        Measures m = Measures(
            sizeOf(on.y - off.y, max(on.x - off.x, 0) + DOUBT),
            sizeOf(off.y + CHANCE, off.x + CHANCE),
            clamp(64 * (on.x - off.x - CHANCE) / (off.x + CHANCE), 0, MOST_EXCESS),
            mean8 / MEAN,
            mean4 / MEAN,
            combStep,
            comb8,
            most4 / MEAN);
        bool misplaced = offsetFound != grid.offset && !quarters && m.excess >= LEAST_MISPLACED;
        // StrengthState.mostEdge
        int sureEdge = isDrawing ? 0 : misplaced ? m.excess - OWN_EXCESS : EDGE_BY_LOSS * (m.lost8 - max(OWN_LOSS, m.lost4));
        int mostEdge = MOST_EDGE + max(0, min(sureEdge, 2 * (m.natural - LEAST_NATURAL)));
        int ofIntra = positionFor(INTRA, m, texture);
        int coding = onComb ? (10 * combStep > 11 * comb8 ? PREDICTED : PREDICTED_FLAT)
            : quarters ? BLOCKS_4 : misplaced ? CROPPED : BLOCKS_8;
        int other = positionFor(coding, m, texture);
        if (onComb) {
            footage = other + intra * (ofIntra - other) / ALL_INTRA;
        } else {
            int sure = surely(m.excess - CHANCE_EXCESS, SURE_EXCESS)
                * surely(64 * m.edge / m.natural - CHANCE_SIZE, SURE_SIZE) / SURE
                * surely(mostEdge - m.edge, SURE_EDGE);
            // StrengthState.sharp
            int wide = 64 * (memory.wideSums[0] + memory.wideSums[1]) / max(everySteps.x, 1);
            int alone = surely(wide - MOST_WIDE, SURE_WIDE) * surely(MOST_ALONE - wide, SURE_WIDE) / SURE;
            int sharp = (surely(LEAST_WIDE - wide, SURE_WIDE) + alone) * surely(m.natural - MOST_SMEARED, SURE_SHARP) / SURE;
            int blocks = max(other, 0);
            blocks = quarters ? blocks * surely(m.most4 - CHANCE_BLOCKS_4, SURE_BLOCKS_4)
                * surely(m.lost8 - CHANCE_BLOCKS_8, SURE_BLOCKS_8) / (SURE * SURE) : blocks;
            int ifScaled = max(positionFor(SCALED, m, texture), 0);
            int little4 = misplaced ? 0 : surely(MOST_SCALED_4 - m.lost4, SURE_SCALED_4);
            int scaled = surely(MOST_SCALED_8 - m.lost8, SURE_SCALED_8) * little4 / SURE * (SURE - sharp) / SURE;
            blocks += scaled * (ifScaled - blocks) / SURE;
            int smeared = surely(wide - LEAST_SMEARED, SURE_SMEARED) * surely(m.excess - CHANCE_SMEARED, SURE_ON_SMEARED) / SURE
                * little4 / SURE * surely(MOST_TEXTURE - texture, SURE_TEXTURE) / SURE;
            blocks += smeared * max(ifScaled - blocks, 0) / SURE;
            footage = blocks * sure / (SURE * SURE);
            footage += isDrawing ? -LESS_FOR_DRAWINGS
                : surely(m.lost8 - CHANCE_LOSS, SURE_LOSS) * (ofIntra - footage) / SURE;
            if (4 * enlarged >= 3 * m.excess) {
                int sureEnlarged = surely(enlarged - CHANCE_ENLARGED, SURE_ENLARGED) * surely(mostEdge - m.edge, SURE_EDGE) / SURE * (SURE - sharp) / SURE;
                m.excess = enlarged;
                int larger = positionFor(ENLARGED, m, texture) - (isDrawing ? LESS_FOR_DRAWINGS : 0);
                footage = max(footage, larger * sureEnlarged / SURE);
            }
            int onGround = surely(LEAST_GROUND - m.natural, SURE_GROUND) * surely(m.edge - MOST_ON_GROUND, SURE_ON_GROUND) / SURE;
            footage = footage * (SURE - onGround) / SURE;
        }
        position = position * surely(mostEdge - m.edge, SURE_EDGE) / SURE;
        position = max(position, clamp(footage, 0, POSITIONS * MOST_LEVEL + POSITIONS / 2));
    }
    bool turns = age == 1 && ladder.shrinks != 0 && !comb;
    int level = memory.level;
    int higher = position >= POSITIONS * (level + 1) + CLEARLY_BEYOND ? 1 : 0;
    int lower = position < POSITIONS * level - CLEARLY_BEYOND ? 1 : 0;
    bool otherLadder = ladder.shrinks != memory.shrankBefore;
    level = cut || turns || otherLadder ? position / POSITIONS : level + higher - lower;
    uint tier = uint(isDrawing && level > 0 ? level + LEVELS : level);
    findings.estimate = int(tier) | min(found, 2047) << 8 | min(texture, 2047) << 19 | (isDrawing ? 1 << 30 : 0)
        | (onComb ? int(0x80000000u) : 0);

    if (tier != memory.tier || ladder.generation != memory.generation) {
        [[dont_unroll]] for (uint word = 0; word < TIER_WORDS; word++) {
            parameters[word] = ladder.tiers[tier * TIER_WORDS + word];
        }
    }
    parameters[COMBS_WORD] = (onComb ? 1 : 0) | (comb ? step8 << 1 : 0);
    uint picture = memory.picture;
    findings.foundOffset = offsetFound;
    findings.offsets[picture] = offsetFound;
    memory.picture = (picture + 1) % OFFSETS;
    memory.foundOffset = offsetFound;
    memory.offsetBefore = grid.offset;
    memory.begun = 1;
    memory.shrankBefore = ladder.shrinks;
    memory.combStep = combStep;
    memory.comb8 = comb8;
    memory.combAge = combAge;
    memory.mean8 = mean8;
    memory.mean4 = mean4;
    memory.most4 = most4;
    memory.intra = intra;
    memory.age = age;
    memory.stepSize = stepSize;
    memory.stepBefore = stepBefore;
    memory.bucketAge = bucketAge;
    memory.texture = texture;
    memory.drawing = drawing;
    memory.isDrawing = isDrawing ? 1 : 0;
    memory.level = level;
    memory.tier = tier;
    memory.generation = ladder.generation;
    [[dont_unroll]] for (uint word = 0; word < COUNTED; word++) {
        counts[word] = 0;
    }
}
