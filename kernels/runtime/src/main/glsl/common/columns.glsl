// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Pictures in columns: the picture is cut into columns that are 128 bytes wide (PictureLayout.COLUMN_BYTES), and each column lies
// in memory by itself.

// Index of a word of a row, counted from the first word of the row. "skip" is the number of words between the end of a row in one
// column and the begin of the same row in the next column.
uint inColumns(uint column, uint skip) {
    return column + (column >> 5) * skip;
}
