/*
 * Writes each picture of a decoder as a golden picture: one line of JSON, and
 * the sections that it lists. Of pictures that cannot be described so, only
 * the line, with the reason.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <stdlib.h>
#include <string.h>
#include "hook.h"

#define PLANES 3
#define OP_BYTES 13
#define BS_BYTES 32
#define SLICE_BYTES 3
#define MD5_BYTES 16
/* Vertical and horizontal edges of luma, and of Cb and Cr in 4:4:4. */
#define MOST_EDGES (PLANES * 8)

/* Libavutil's. */
extern void av_md5_sum (uint8_t *sum, const uint8_t *data, size_t bytes);

typedef struct Section
{
  const char *name;
  const char *type;
  int width; /* 0: a list of operations */
  int height;
  uint8_t *data;
  size_t bytes;
} Section;

static FILE *output;
static const char *origin;
static long first_wanted, last_wanted;
static long number; /* of the picture that has begun, or is next */

static int begun;
static QpuHookPicture picture;
static int offsets_differ;
static int rows, decoded;
static int last_slice, slices_count;
static size_t ops_count;
static Section before[PLANES], after[PLANES];
static Section ops, qp, transform8x8, bs, slice_map, slices;

static void
die (const char *what)
{
  fprintf (stderr, "hook: %s\n", what);
  exit (3);
}

static void
section (Section *s, const char *name, const char *type, int width, int height,
    size_t bytes)
{
  free (s->data);
  *s = (Section) { name, type, width, height, calloc (1, bytes + 1), bytes };
  if (s->data == NULL)
    die ("no memory");
}

void
qpu_hook_output (FILE *file, const char *name, long first, long last)
{
  output = file;
  origin = name;
  first_wanted = first;
  last_wanted = last;
}

static int
planes (void)
{
  return picture.chroma_format == 0 ? 1 : PLANES;
}

static int
block_width (int plane)
{
  return plane == 0 || picture.chroma_format == 3 ? 16 : 8;
}

static int
block_height (int plane)
{
  return plane == 0 || picture.chroma_format != 1 ? 16 : 8;
}

static int
sample_bytes (void)
{
  return picture.bit_depth > 8 ? 2 : 1;
}

static int
is_field (void)
{
  return picture.structure != 3;
}

/* Why the picture cannot be described, or NULL. */
static const char *
fault (void)
{
  if (picture.mbaff)
    return "MBAFF";
  if (picture.bit_depth != picture.chroma_bit_depth
      && picture.chroma_format != 0)
    return "chroma of another bit depth";
  if (decoded != rows * picture.columns)
    return "macroblocks are missing";
  return NULL;
}

static void
begin (const QpuHookPicture *from)
{
  static const char *const in[] = { "in_y", "in_u", "in_v" };
  static const char *const out[] = { "out_y", "out_u", "out_v" };
  int columns = from->columns;
  size_t blocks;

  picture = *from;
  begun = 1;
  offsets_differ = 0;
  decoded = 0;
  slices_count = 0;
  ops_count = 0;
  rows = is_field () ? picture.frame_rows / 2 : picture.frame_rows;
  blocks = (size_t) columns * rows;
  for (int i = 0; i < planes (); i++) {
    const char *type = sample_bytes () == 1 ? "u8" : "u16";
    int width = columns * block_width (i), height = rows * block_height (i);
    size_t bytes = (size_t) width * height * sample_bytes ();

    section (&before[i], in[i], type, width, height, bytes);
    section (&after[i], out[i], type, width, height, bytes);
  }
  section (&ops, "ops", "record13", 0, 0, blocks * MOST_EDGES * OP_BYTES);
  section (&qp, "qp", "u8", columns, rows, blocks);
  section (&transform8x8, "transform8x8", "u8", columns, rows, blocks);
  section (&bs, "bs", "u8", columns * BS_BYTES, rows, blocks * BS_BYTES);
  section (&slice_map, "slice_map", "u16", columns, rows, blocks * 2);
  section (&slices, "slices", "i8", SLICE_BYTES, 0, blocks * SLICE_BYTES);
}

/* A row of the picture, counted in the field if it is one. */
static const uint8_t *
row_of (int plane, int y)
{
  int frame_row = is_field () ? 2 * y + (picture.structure == 2) : y;

  return picture.planes[plane] + (ptrdiff_t) frame_row * picture.strides[plane];
}

static void
copy_block (int plane, int column, int row)
{
  size_t bytes = (size_t) block_width (plane) * sample_bytes ();
  int height = block_height (plane);
  Section *s = &before[plane];

  for (int y = row * height; y < (row + 1) * height; y++)
    memcpy (s->data + ((size_t) y * picture.columns + column) * bytes,
        row_of (plane, y) + column * bytes, bytes);
}

static void
put_16 (uint8_t *to, int value)
{
  to[0] = (uint8_t) value;
  to[1] = (uint8_t) (value >> 8);
}

void
qpu_hook_macroblock (const QpuHookPicture *from, const QpuHookMacroblock *block)
{
  int row;
  size_t at;

  if (output == NULL)
    return;
  if (!begun)
    begin (from);
  decoded++;
  if (picture.mbaff)
    return;
  offsets_differ |= picture.cb_offset != from->cb_offset
      || picture.cr_offset != from->cr_offset;
  row = is_field () ? block->row / 2 : block->row;
  if (row >= rows || block->column >= picture.columns)
    die ("a macroblock outside the picture");
  for (int i = 0; i < planes (); i++)
    copy_block (i, block->column, row);
  at = (size_t) row * picture.columns + block->column;
  qp.data[at] = (uint8_t) block->qp;
  transform8x8.data[at] = (uint8_t) block->transform8x8;
  if (slices_count == 0 || block->slice != last_slice) {
    uint8_t *entry = slices.data + (size_t) slices_count * SLICE_BYTES;

    if (slices_count == rows * picture.columns)
      die ("more slices than macroblocks");
    entry[0] = (uint8_t) (block->alpha_offset / 2);
    entry[1] = (uint8_t) (block->beta_offset / 2);
    entry[2] = (uint8_t) block->disabled;
    last_slice = block->slice;
    slices_count++;
  }
  put_16 (slice_map.data + at * 2, slices_count - 1);
}

/* The plane that a sample of the frame lies in; its place in the picture. */
static int
place_of (const uint8_t *sample, int *x, int *y)
{
  for (int i = 0; i < planes (); i++) {
    ptrdiff_t offset = sample - picture.planes[i];
    int lines = picture.frame_rows * block_height (i);

    if (offset >= 0 && offset < (ptrdiff_t) lines * picture.strides[i]) {
      int line = (int) (offset / picture.strides[i]);

      *x = (int) (offset % picture.strides[i]) / sample_bytes ();
      *y = is_field () ? line / 2 : line;
      return i;
    }
  }
  die ("an edge outside the picture");
  return 0;
}

void
qpu_hook_edge (const uint8_t *sample, int direction, int strong,
    const int16_t edge_bs[4], int alpha, int beta, const uint8_t tc0[4])
{
  int plane, x, y;
  uint8_t *op;

  if (!begun || picture.mbaff)
    return;
  plane = place_of (sample, &x, &y);
  if (ops_count == (size_t) rows * picture.columns * MOST_EDGES)
    die ("more edges than a picture has");
  op = ops.data + ops_count++ * OP_BYTES;
  op[0] = (uint8_t) plane;
  op[1] = (uint8_t) direction;
  op[2] = (uint8_t) strong;
  op[3] = (uint8_t) alpha;
  op[4] = (uint8_t) beta;
  for (int i = 0; i < 4; i++) {
    int value = strong ? 0 : (int8_t) tc0[edge_bs[i]];

    op[5 + i] = (uint8_t) (plane == 0 ? value : value + 1);
  }
  put_16 (op + 9, x);
  put_16 (op + 11, y);
  if (plane == 0) {
    size_t block = (size_t) (y / 16) * picture.columns + x / 16;
    int edge = (direction == 0 ? x : y) % 16 / 4;
    uint8_t *parts =
        bs.data + block * BS_BYTES + direction * BS_BYTES / 2 + edge * 4;

    for (int i = 0; i < 4; i++)
      parts[i] = (uint8_t) (strong ? 4 : edge_bs[i]);
  }
}

static void
write_all (const void *data, size_t bytes)
{
  if (fwrite (data, 1, bytes, output) != bytes)
    die ("the output cannot be written");
}

static void
write_header (Section *const *sections, int count)
{
  fprintf (output,
      "{\"format\":\"gvp1\",\"kernel\":\"h264_deblock_ops_picture\","
      "\"origin\":\"%s, picture %ld\",\"bit_depth\":%d,\"width\":%d,"
      "\"height\":%d,\"structure\":\"%s\",\"chroma_format_idc\":%d,"
      "\"chroma_qp_index_offset\":%d,\"second_chroma_qp_index_offset\":%d,"
      "\"offsets_differ\":%s,\"sections\":[",
      origin, number, picture.bit_depth, picture.columns * 16, rows * 16,
      picture.structure == 3       ? "frame"
          : picture.structure == 1 ? "top field"
                                   : "bottom field",
      picture.chroma_format, picture.cb_offset, picture.cr_offset,
      offsets_differ ? "true" : "false");
  for (int i = 0; i < count; i++) {
    const Section *s = sections[i];
    uint8_t sum[MD5_BYTES];

    fprintf (output, "%s{\"name\":\"%s\",\"type\":\"%s\",", i ? "," : "",
        s->name, s->type);
    if (s->width != 0)
      fprintf (output, "\"width\":%d,\"height\":%d,", s->width, s->height);
    else
      fprintf (output, "\"count\":%zu,", s->bytes / OP_BYTES);
    av_md5_sum (sum, s->data, s->bytes);
    fprintf (output, "\"bytes\":%zu,\"md5\":\"", s->bytes);
    for (int j = 0; j < MD5_BYTES; j++)
      fprintf (output, "%02x", sum[j]);
    fputs ("\"}", output);
  }
  fputs ("]}\n", output);
}

static int
slice_of (int column, int row)
{
  const uint8_t *at =
      slice_map.data + 2 * ((size_t) row * picture.columns + column);

  return at[0] | at[1] << 8;
}

/* The edges between macroblocks that no filter came to because they lie at the
 * picture's border or at a slice's, and all edges of slices that are not
 * filtered, get a bS that would be seen: who reads the maps has to find out. */
static void
mark_unfiltered_bs (int column, int row)
{
  int slice = slice_of (column, row);
  int disabled = slices.data[(size_t) slice * SLICE_BYTES + 2];
  uint8_t *parts =
      bs.data + ((size_t) row * picture.columns + column) * BS_BYTES;

  if (disabled == 1)
    memset (parts, 3, BS_BYTES);
  if (column == 0 || (disabled == 2 && slice_of (column - 1, row) != slice))
    memset (parts, 4, 4);
  if (row == 0 || (disabled == 2 && slice_of (column, row - 1) != slice))
    memset (parts + BS_BYTES / 2, 4, 4);
}

static void
write_picture (void)
{
  Section *sections[2 * PLANES + 6];
  int count = 0;

  for (int i = 0; i < planes (); i++) {
    Section *s = &after[i];
    size_t bytes = (size_t) s->width * sample_bytes ();

    for (int y = 0; y < s->height; y++)
      memcpy (s->data + (size_t) y * bytes, row_of (i, y), bytes);
  }
  for (int i = 0; i < rows * picture.columns; i++)
    mark_unfiltered_bs (i % picture.columns, i / picture.columns);
  for (int i = 0; i < planes (); i++)
    sections[count++] = &before[i];
  for (int i = 0; i < planes (); i++)
    sections[count++] = &after[i];
  ops.bytes = ops_count * OP_BYTES;
  slices.height = slices_count;
  slices.bytes = (size_t) slices_count * SLICE_BYTES;
  /* A section has a byte at least: a picture without edges has no list. */
  if (ops_count > 0)
    sections[count++] = &ops;
  sections[count++] = &qp;
  sections[count++] = &transform8x8;
  sections[count++] = &bs;
  sections[count++] = &slice_map;
  sections[count++] = &slices;
  write_header (sections, count);
  for (int i = 0; i < count; i++)
    write_all (sections[i]->data, sections[i]->bytes);
}

void
qpu_hook_end (void)
{
  if (!begun)
    return;
  begun = 0;
  if (number >= first_wanted && number <= last_wanted) {
    const char *reason = fault ();

    if (reason == NULL)
      write_picture ();
    else
      fprintf (output,
          "{\"format\":\"gvp1\",\"kernel\":\"left_out\",\"reason\":\"%s\"}\n",
          reason);
    if (fflush (output) != 0)
      die ("the output cannot be written");
  }
  number++;
}
