// Two pictures whose samples lie in words, and the results of invocations, which the CPU adds up in their order.

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
// Samples from one of a component to the next.
layout(constant_id = 2) const uint SAMPLE_STEP = 1;
// Zero bits below the significant ones of a sample.
layout(constant_id = 3) const uint SAMPLE_SHIFT = 0;

layout(std430, set = 0, binding = 0) readonly restrict buffer Reference {
    uint reference[];
};
layout(std430, set = 0, binding = 1) readonly restrict buffer Picture {
    uint picture[];
};
layout(std430, set = 0, binding = 2) writeonly restrict buffer Results {
    uint results[];
};

// Four samples of a component next to each other, out of the SAMPLE_BYTES * SAMPLE_STEP words that they lie in, after "first" bits.
uvec4 unpackSamples(uvec4 words, uint first) {
    if (SAMPLE_BYTES == 1) {
        if (SAMPLE_STEP == 1) {
            return uvec4(words.x, words.x >> 8, words.x >> 16, words.x >> 24) & 0xffu;
        }
        return (uvec4(words.x, words.x >> 16, words.y, words.y >> 16) >> first) & 0xffu;
    }
    if (SAMPLE_STEP == 1) {
        return (uvec4(words.x, words.x >> 16, words.y, words.y >> 16) & 0xffffu) >> SAMPLE_SHIFT;
    }
    return ((words >> first) & 0xffffu) >> SAMPLE_SHIFT;
}
