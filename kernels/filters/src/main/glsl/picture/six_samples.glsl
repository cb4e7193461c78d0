// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// What the kernels share that change between three samples in a word and two: six samples are two words of the one kind and three of
// the other. Include picture/planes.glsl before.

// Where a row begins.
uint sourceStart(uint plane, uint row) {
    return g.planes.sourceOffset[plane] + row * g.planes.sourceStride[plane];
}

uint destinationStart(uint plane, uint row) {
    return g.planes.destinationOffset[plane] + row * g.planes.destinationStride[plane];
}

// Where a word of a row lies in it.
uint sourceColumn(uint plane, uint column) {
    return SOURCE_IN_COLUMNS ? inColumns(column, g.planes.sourceSkip[plane]) : column;
}

uint destinationColumn(uint plane, uint column) {
    return DESTINATION_IN_COLUMNS ? inColumns(column, g.planes.destinationSkip[plane]) : column;
}

uint sourceAt(uint plane, uint at) {
    return plane == 0 ? source0[at] : source1[at];
}

void storeAt(uint plane, uint at, uint word) {
    if (plane == 0) {
        destination0[at] = word;
    } else {
        destination1[at] = word;
    }
}
