// Which edges a workgroup filters: one each for its groups of invocations, or, of a schedule, those of a segment's levels,
// level by level. Defines main; expects filterEdge(index, inRange), which every invocation calls, and EDGE_INVOCATIONS.

layout(std430, set = 0, binding = 4) readonly restrict buffer Table {
    uint table[];
};

const uint SEGMENT_WORDS = 8;
const uint SEGMENTS = 16;

void main() {
    const uint perGroup = gl_WorkGroupSize.x / EDGE_INVOCATIONS;
    uint index = gl_LocalInvocationID.x / EDGE_INVOCATIONS;
    if (!SCHEDULED) {
        index += gl_WorkGroupID.x * perGroup;
        filterEdge(index, index < run.count);
        return;
    }
    uint firstLevel = table[call.segment * SEGMENT_WORDS + 3];
    uint levels = table[call.segment * SEGMENT_WORDS + 4];
    for (uint level = firstLevel; level < firstLevel + levels; level++) {
        uint end = table[SEGMENTS * SEGMENT_WORDS + level + 1];
        uint base = table[SEGMENTS * SEGMENT_WORDS + level] + gl_WorkGroupID.x * perGroup;
        for (; base < end; base += gl_NumWorkGroups.x * perGroup) {
            filterEdge(base + index, base + index < end);
        }
        // The next level reads what this one wrote.
        memoryBarrierBuffer();
        barrier();
    }
}
