// Forms of kernels for drivers that run shaders on the CPU, as Mesa's lavapipe, whose shader compiler keeps a subgroup's values in
// vector registers:
//
// - What lies in a storage buffer it loads lane by lane, in a loop that asks for each lane whether it is on and in bounds, and
//   puts each value into a vector that lies in memory, from where the whole of it is read again at once, which stalls. Texels it
//   gathers with one instruction. So buffers are seen as texels, 32-bit words.
// - Both sides of a branch run, and a loop's body once more than it is gone through where it is left at its begin.
// - Texels are stored lane by lane, too, with less ado. It is two thirds of the time of what remains of deblocking.
// - Floats take conversions, roundings, and care of what is no number, at each minimum. Integers do not.

// The same word, computed before the loop over lanes that stores it. Else the compiler moves the arithmetic before into the loop, to
// do it for one lane at a time. "positive" is below 2 to the power of 31, which the compiler does not know.
uint beforeStore(uint word, uint positive) {
    return min(word, ~(positive >> 31));
}
