// The taps of AV1's CDEF and what is made of them (AV1 specification, 7.15.3), a word of samples at a time: floats whose values
// are whole numbers, with the bias of words.glsl. Expects SAMPLE_BYTES and SAMPLE_SHIFT.

// Offsets of the taps by direction (Cdef_Directions), 4 bits a direction, each more by 2.
const uint NEAR_ROWS = 0x33332221u;
const uint NEAR_COLUMNS = 0x22233333u;
const uint FAR_ROWS = 0x44443210u;
const uint FAR_COLUMNS = 0x12344444u;

int tapOffset(uint table, uint direction) {
    return int((table >> (direction * 4)) & 15u) - 2;
}

struct Pixels {
    // The even samples of a word and, where there are four, the odd ones.
    vec2 even, odd;
};

Pixels unpack(uint word) {
    return SAMPLE_BYTES == 1
        ? Pixels(evenBytes(word), oddBytes(word))
        : Pixels(unpackHalf2x16(((word >> SAMPLE_SHIFT) & 0x03ff03ffu) | HALF_BIAS), vec2(0.0));
}

uint repack(Pixels p) {
    return SAMPLE_BYTES == 1
        ? packBytes(p.even, p.odd)
        : (packHalf2x16(p.even) & 0x03ff03ffu) << SAMPLE_SHIFT;
}

vec2 constrain(vec2 difference, float strength, float scale) {
    vec2 limit = max(strength - floor(abs(difference) * scale), 0.0);
    // The difference between -limit and limit: of a whole number, the clamp is its sign.
    return min(abs(difference), limit) * clamp(difference, -1.0, 1.0);
}

struct Sums {
    Pixels sum, least, most;
};

void addTap(uint word, Pixels x, float strength, float scale, float weight, inout Sums s) {
    Pixels p = unpack(word);
    s.sum.even += weight * constrain(p.even - x.even, strength, scale);
    s.least.even = min(s.least.even, p.even);
    s.most.even = max(s.most.even, p.even);
    if (SAMPLE_BYTES == 1) {
        s.sum.odd += weight * constrain(p.odd - x.odd, strength, scale);
        s.least.odd = min(s.least.odd, p.odd);
        s.most.odd = max(s.most.odd, p.odd);
    }
}

vec2 finish(vec2 x, vec2 sum, vec2 least, vec2 most) {
    // (8 + sum - (sum < 0)) >> 4.
    vec2 change = floor((sum + 7.5 + 0.5 * clamp(sum, -1.0, 1.0)) * 0.0625);
    return clamp(x + change, least, most);
}
