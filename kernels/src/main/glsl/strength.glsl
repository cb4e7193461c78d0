// How often coefficients of each size occur in a picture's blocks, as StrengthHistograms keeps them: its kinds one after the
// other, then the blocks' mean samples, then the steps by phase, then what strength_decide.comp remembers.

const uint BINS = 37;
const uint ALIGNED_8 = 0;
const uint SHIFTED_8 = BINS;
const uint SHIFTED_4 = 2 * BINS;
const uint TEXTURE = 3 * BINS;
const uint ALIGNED_4 = 4 * BINS;
const uint LUMA = 5 * BINS;
const uint LUMA_BINS = 16;
const uint PHASES = 8;
// Of columns, then of rows.
const uint STEPS = LUMA + LUMA_BINS;
const uint MEMORY = STEPS + 2 * PHASES;

layout(std430, set = 0, binding = 1) restrict buffer Counts {
    uint counts[];
};
