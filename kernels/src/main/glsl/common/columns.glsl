// Pictures whose rows are cut into columns 128 bytes wide (PictureLayout.COLUMN_BYTES) beside those whose rows are whole.

// Where a word of a row lies, counted from the row's first word; "skip" words lie between the end of a column's row and the same
// row of the next column.
uint inColumns(uint column, uint skip) {
    return column + (column >> 5) * skip;
}
