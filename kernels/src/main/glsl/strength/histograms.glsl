// How often coefficients of each size occur in a picture's blocks, as StrengthHistograms keeps them: its kinds one after the
// other, then the blocks' mean samples, then the steps by phase.

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
const uint COUNTED = STEPS + 2 * PHASES;

// What strength/decide.comp remembers from picture to picture; 0 before the first.
struct StrengthMemory {
    uint begun;
    int combStep, combAge;
    int stepSize, stepBefore, bucketAge;
    int texture, drawing;
    uint tier, generation;
    uint offsetBefore, foundOffset;
    uint picture;
    int luma[LUMA_BINS];
    // By phase, of columns, then of rows.
    int stepSums[2 * PHASES];
};

layout(std430, set = 0, binding = 1) restrict buffer StrengthCounts {
    uint counts[COUNTED];
    StrengthMemory memory;
};
