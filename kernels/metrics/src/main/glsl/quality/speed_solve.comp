// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Of the matrix of covariances of a plane (y): the eigenvalues (x = 0), or the QR decomposition (x = 1). Operations round as those of
// SymmetricMatrix on the CPU, in its order: where a matrix is nearly singular, that decides.

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint INVOCATIONS = 256;

layout(std430, set = 0, binding = 3) readonly restrict buffer Tables {
    float tables[];
};
layout(std430, set = 0, binding = 4) restrict buffer Planes {
    float planes[];
};

layout(push_constant) uniform SpeedSolveGeometry {
    // Two numbers that show how fma() rounds.
    uint roundingAt;
    uint covariancesAt;
    uint knownAt;
} g;

#include "quality/speed_rounding.glsl"

const uint MOST_STEPS = 500;

shared float work[ELEMENTS];
shared float orthogonal[ELEMENTS];
shared float row[ELEMENTS];
shared float vector[SAMPLES];
shared float product[SAMPLES];
shared float eigenvalues[SAMPLES];
shared float beside[SAMPLES];

float signOf(float value) {
    return value >= 0.0 ? 1.0 : -1.0;
}

float lengthOf(float x, float y) {
    precise float squares = x * x + y * y;
    return root(squares);
}

// 1 / sqrt(1 + t * t)
float shareOf(float t) {
    precise float squares = 1.0 + t * t;
    float guess = inversesqrt(squares);
    precise float scaled = squares * guess;
    float ofScaled = rounded(squares, guess, -scaled);
    precise float rest = rounded(-scaled, guess, 1.0) - ofScaled * guess;
    precise float result = guess + 0.5 * guess * rest;
    return result;
}

// Reflections clear one column after the other, but for the elements beside the diagonal.
void makeTridiagonal() {
    uint lane = gl_LocalInvocationID.x;
    for (uint column = 0; column < SAMPLES - 2; column++) {
        uint first = column + 1;
        precise float squares = 0.0;
        for (uint i = first + 1; i < SAMPLES; i++) {
            float element = work[i * SAMPLES + column];
            squares = squares + element * element;
        }
        float rest = root(squares);
        if (rest == 0.0) {
            continue;
        }
        float head = work[first * SAMPLES + column];
        float reflected = -signOf(head) * lengthOf(head, rest);
        precise float difference = head - reflected;
        precise float against = reflected - head;
        float factor = divided(against, reflected);
        barrier();
        if (lane > first && lane < SAMPLES && difference != 0.0) {
            work[lane * SAMPLES + column] = divided(work[lane * SAMPLES + column], difference);
        }
        if (lane == first && difference != 0.0) {
            work[first * SAMPLES + column] = reflected;
        }
        if (lane >= first && lane < SAMPLES) {
            vector[lane] = lane == first ? 1.0 : work[lane * SAMPLES + column];
        }
        barrier();
        if (lane >= first && lane < SAMPLES) {
            precise float sum = 0.0;
            for (uint j = first; j < SAMPLES; j++) {
                sum = sum + factor * work[lane * SAMPLES + j] * vector[j];
            }
            product[lane] = sum;
        }
        barrier();
        precise float dot_ = 0.0;
        for (uint i = first; i < SAMPLES; i++) {
            dot_ = dot_ + product[i] * vector[i];
        }
        precise float share = -0.5 * factor * dot_;
        barrier();
        if (lane >= first && lane < SAMPLES) {
            precise float changed = product[lane] + share * vector[lane];
            product[lane] = changed;
        }
        barrier();
        for (uint at = lane; at < ELEMENTS; at += INVOCATIONS) {
            uint i = at / SAMPLES;
            uint j = at % SAMPLES;
            if (i >= first && j >= first) {
                precise float changed = work[at] - (product[i] * vector[j] + vector[i] * product[j]);
                work[at] = changed;
            }
        }
        barrier();
    }
}

void dropSmall(uint first, uint last) {
    for (uint i = first; i < last; i++) {
        if (abs(beside[i]) < EPSILON * (abs(eigenvalues[i]) + abs(eigenvalues[i + 1]))) {
            beside[i] = 0.0;
        }
    }
}

// The eigenvalue of the last two rows of a block that is nearer to the last element.
float shiftOf(uint last) {
    float b = eigenvalues[last];
    float off = beside[last - 1];
    precise float half_ = (eigenvalues[last - 1] - b) / 2.0;
    float length_ = lengthOf(half_, off);
    precise float divisor = abs(half_) + length_;
    precise float change = half_ == 0.0 ? abs(off) : off * divided(off, divisor);
    precise float result = half_ >= 0.0 ? b - change : b + change;
    return result;
}

void makeStep(uint first, uint last) {
    float shift = shiftOf(last);
    if (EPSILON * abs(shift) > abs(eigenvalues[first]) + abs(beside[first])) {
        shift = 0.0;
    }
    precise float x = eigenvalues[first] - shift;
    float z = beside[first];
    precise float besideBefore = 0.0;
    precise float bulge = 0.0;
    precise float here = eigenvalues[first];
    precise float off = beside[first];
    precise float nextOff = last > first + 1 ? beside[first + 1] : 0.0;
    for (uint k = first; k < last; k++) {
        precise float c = 1.0;
        precise float s = 0.0;
        if (z != 0.0) {
            bool steep = abs(z) > abs(x);
            float t = steep ? divided(-x, z) : divided(-z, x);
            float one = shareOf(t);
            precise float other = one * t;
            s = steep ? one : other;
            c = steep ? other : one;
        }
        if (k > first) {
            precise float left = c * besideBefore - s * bulge;
            beside[k - 1] = left;
        }
        float next = eigenvalues[k + 1];
        precise float turned = c * (c * here - s * off) + s * (s * next - c * off);
        precise float between = c * (s * here + c * off) - s * (s * off + c * next);
        precise float rest = s * (s * here + c * off) + c * (s * off + c * next);
        eigenvalues[k] = turned;
        besideBefore = between;
        bulge = -s * nextOff;
        here = rest;
        off = c * nextOff;
        if (k + 1 < last) {
            beside[k + 1] = off;
        }
        if (k + 2 < last) {
            nextOff = beside[k + 2];
        }
        x = besideBefore;
        z = bulge;
    }
    eigenvalues[last] = here;
    beside[last - 1] = besideBefore;
}

// QR steps with shifts, on the last block that is not diagonal yet.
void makeDiagonal() {
    dropSmall(0, SAMPLES - 1);
    uint last = SAMPLES - 1;
    uint steps = 0;
    while (last > 0 && steps < MOST_STEPS) {
        if (beside[last - 1] == 0.0) {
            last--;
            continue;
        }
        uint first = last - 1;
        while (first > 0 && beside[first - 1] != 0.0) {
            first--;
        }
        makeStep(first, last);
        dropSmall(first, last);
        steps++;
    }
}

void findEigenvalues(uint known) {
    uint lane = gl_LocalInvocationID.x;
    makeTridiagonal();
    if (lane < SAMPLES) {
        eigenvalues[lane] = work[lane * SAMPLES + lane];
        beside[lane] = lane < SAMPLES - 1 ? work[(lane + 1) * SAMPLES + lane] : 0.0;
    }
    barrier();
    if (lane == 0) {
        makeDiagonal();
        bool regular = true;
        for (uint i = 0; i < SAMPLES; i++) {
            regular = regular && eigenvalues[i] > EPSILON;
            planes[known + i] = eigenvalues[i];
        }
        planes[known + REGULAR] = regular ? 1.0 : 0.0;
    }
}

float normOf(uint first) {
    precise float sum = 0.0;
    for (uint i = first; i < SAMPLES; i++) {
        sum = sum + vector[i] * vector[i];
    }
    return root(sum);
}

float reflectedBy(uint i, uint j, uint first, bool ofOrthogonal) {
    precise float sum = 0.0;
    for (uint k = first; k < SAMPLES; k++) {
        precise float factor = -2.0 * vector[i] * vector[k];
        if (i == k) {
            factor = factor + 1.0;
        }
        sum = sum + factor * (ofOrthogonal ? orthogonal[k * SAMPLES + j] : work[k * SAMPLES + j]);
    }
    return sum;
}

// Multiplies the rows from "first" by the reflection of the vector.
void reflectRows(uint first, bool ofOrthogonal) {
    uint lane = gl_LocalInvocationID.x;
    uint firstColumn = ofOrthogonal ? 0 : first;
    for (uint at = lane; at < ELEMENTS; at += INVOCATIONS) {
        uint i = at / SAMPLES;
        uint j = at % SAMPLES;
        if (i >= first && j >= firstColumn) {
            row[at] = reflectedBy(i, j, first, ofOrthogonal);
        }
    }
    barrier();
    for (uint at = lane; at < ELEMENTS; at += INVOCATIONS) {
        if (at / SAMPLES >= first && at % SAMPLES >= firstColumn) {
            if (ofOrthogonal) {
                orthogonal[at] = row[at];
            } else {
                work[at] = row[at];
            }
        }
    }
    barrier();
}

void decompose(uint matrix, uint known) {
    uint lane = gl_LocalInvocationID.x;
    for (uint at = lane; at < ELEMENTS; at += INVOCATIONS) {
        orthogonal[at] = at / SAMPLES == at % SAMPLES ? 1.0 : 0.0;
    }
    for (uint k = 0; k < SAMPLES - 1; k++) {
        if (lane >= k && lane < SAMPLES) {
            vector[lane] = work[lane * SAMPLES + k];
        }
        barrier();
        precise float head = vector[k] + signOf(planes[matrix + k * SAMPLES + k]) * normOf(k);
        barrier();
        if (lane == k) {
            vector[k] = head;
        }
        barrier();
        float norm = normOf(k);
        barrier();
        if (lane >= k && lane < SAMPLES) {
            vector[lane] = divided(vector[lane], norm);
        }
        barrier();
        reflectRows(k, false);
        reflectRows(k, true);
    }
    for (uint at = lane; at < ELEMENTS; at += INVOCATIONS) {
        precise float sum = 0.0;
        for (uint k = 0; k < SAMPLES; k++) {
            sum = sum + orthogonal[at / SAMPLES * SAMPLES + k] * planes[matrix + k * SAMPLES + at % SAMPLES];
        }
        planes[known + ORTHOGONAL + at] = orthogonal[at];
        planes[known + TRIANGULAR + at] = sum;
        row[at] = sum;
    }
    barrier();
    if (lane == 0) {
        bool regular = true;
        for (uint i = 0; i < SAMPLES; i++) {
            regular = regular && !(abs(row[i * SAMPLES + i]) <= EPSILON);
        }
        planes[known + REGULAR + 1] = regular ? 1.0 : 0.0;
    }
}

void main() {
    fmaRoundsOnce = roundsOnce(tables[g.roundingAt], tables[g.roundingAt + 1]);
    uint matrix = g.covariancesAt + gl_WorkGroupID.y * ELEMENTS;
    uint known = g.knownAt + gl_WorkGroupID.y * KNOWN;
    for (uint at = gl_LocalInvocationID.x; at < ELEMENTS; at += INVOCATIONS) {
        work[at] = planes[matrix + at];
    }
    barrier();
    if (gl_WorkGroupID.x == 0) {
        findEigenvalues(known);
    } else {
        decompose(matrix, known);
    }
}
