// Samples in 32-bit words. Bytes are handled as the halves of f16 pairs with a bias of 1024: 0x6400 | v is the f16 number
// 1024 + v for v below 1024, so that splitting a word into floats needs no conversion, and the bias drops out of every
// difference and of every weighted mean.
//
// Integers are added and subtracted here where bits could be combined as well: V3D has two units that add, and one for bits,
// which has the more to do.

const uint HALF_BIAS = 0x64006400u;
const uint EVEN_BYTES = 0x00ff00ffu;
const float BIAS = 1024.0;

// Bytes 0 and 2.
vec2 evenBytes(uint word) {
    return unpackHalf2x16((word & EVEN_BYTES) + HALF_BIAS);
}

// Bytes 1 and 3.
vec2 oddBytes(uint word) {
    return unpackHalf2x16(((word - (word & EVEN_BYTES)) >> 8) + HALF_BIAS);
}

// Biased samples 0..255 into bytes 0 and 2; the other bytes are 0.
uint packEvenBytes(vec2 samples) {
    return packHalf2x16(samples) & EVEN_BYTES;
}

uint packBytes(vec2 even, vec2 odd) {
    // Both with their bias, of which the odd ones' highest byte is shifted out.
    return packHalf2x16(even) + (packHalf2x16(odd) << 8) - (HALF_BIAS + (HALF_BIAS << 8));
}

// Byte 0.
float lowByte(uint word) {
    return unpackHalf2x16((word & 0xffu) + HALF_BIAS).x;
}

// Byte 0 replaced by a biased sample, and the word turned so that the next byte is byte 0.
uint nextByte(uint word, float s) {
    word = (word & 0xffffff00u) | (packHalf2x16(vec2(s, 0.0)) & 0xffu);
    return (word >> 8) | (word << 24);
}
