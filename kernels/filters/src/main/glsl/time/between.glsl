// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// The samples of each picture at each quarter of a sample: a plane for each quarter across, of each quarter down. Planes reach as far beyond the picture
// as vectors do.

// Samples around the picture: from a window that begins 4 before a block, a vector of 38 and a quarter, and to a block that is not whole.
const int MARGIN = 52;
const uint PLANES = 8;

// Of the first two quarters down, and of the others.
layout(std430, set = 0, binding = 1) restrict buffer TimeBetween {
    uint upper[];
};
layout(std430, set = 0, binding = 5) restrict buffer TimeBetweenLower {
    uint lower[];
};

// Where the plane of a quarter of a sample begins in its half of the planes.
uint planeOf(uint entry, uint quarter) {
    return (entry * PLANES + quarter % PLANES) * g.betweenStride * (g.height + 2 * MARGIN);
}
