// Which edges a workgroup filters: one each for its groups of invocations, or, of a schedule, those of a segment's levels,
// level by level. Defines main; expects filterEdge(index, lane, inRange), which every invocation calls, and EDGE_INVOCATIONS.

layout(std430, set = 0, binding = 4) readonly restrict buffer Table {
    uint table[];
};

const uint SEGMENT_WORDS = 8;
const uint SEGMENTS = 16;

void main() {
    if (!SCHEDULED) {
        uint index = gl_GlobalInvocationID.x / EDGE_INVOCATIONS;
        filterEdge(index, gl_GlobalInvocationID.x % EDGE_INVOCATIONS, index < run.count);
        return;
    }
    uint firstLevel = table[call.segment * SEGMENT_WORDS + 3];
    uint levels = table[call.segment * SEGMENT_WORDS + 4];
    for (uint level = firstLevel; level < firstLevel + levels; level++) {
        // In invocations, since a workgroup may be smaller than an edge.
        uint end = table[SEGMENTS * SEGMENT_WORDS + level + 1] * EDGE_INVOCATIONS;
        uint base = table[SEGMENTS * SEGMENT_WORDS + level] * EDGE_INVOCATIONS + gl_WorkGroupID.x * gl_WorkGroupSize.x;
        for (; base < end; base += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
            uint at = base + gl_LocalInvocationID.x;
            filterEdge(at / EDGE_INVOCATIONS, at % EDGE_INVOCATIONS, at < end);
        }
        // The next level reads what this one wrote.
        meet();
    }
}
