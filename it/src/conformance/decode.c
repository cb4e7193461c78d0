/*
 * Decodes a file of H.264, as a byte stream with start codes, on one thread,
 * and writes its pictures as hook.h hands them over to the standard output:
 * all, or those with the numbers FIRST to LAST, from 0 in decoding order. Ends
 * with status 1 if the decoder reports an error.
 *
 * usage: decode FILE [FIRST LAST]
 *
 * What is used of libavcodec's and libavutil's interface is declared here: the
 * structures stay closed, so one source serves every version.
 *
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include "hook.h"

#define CODEC_ID_H264 27
/* What a parser may read beyond its data, AV_INPUT_BUFFER_PADDING_SIZE. */
#define PADDING_BYTES 64
#define CHUNK_BYTES 65536
#define NO_PTS INT64_MIN
#define END_OF_FILE (-(int) ('E' | 'O' << 8 | 'F' << 16 | (unsigned) ' ' << 24))

typedef struct AVCodec AVCodec;
typedef struct AVCodecContext AVCodecContext;
typedef struct AVCodecParserContext AVCodecParserContext;
typedef struct AVDictionary AVDictionary;
typedef struct AVFrame AVFrame;
typedef struct AVPacket AVPacket;

extern const AVCodec *avcodec_find_decoder (int id);
extern AVCodecContext *avcodec_alloc_context3 (const AVCodec *codec);
extern int avcodec_open2 (AVCodecContext *context, const AVCodec *codec,
    AVDictionary **options);
extern int avcodec_send_packet (AVCodecContext *context,
    const AVPacket *packet);
extern int avcodec_receive_frame (AVCodecContext *context, AVFrame *frame);
extern AVCodecParserContext *av_parser_init (int id);
extern int av_parser_parse2 (AVCodecParserContext *parser,
    AVCodecContext *context, uint8_t **out, int *out_bytes, const uint8_t *data,
    int bytes, int64_t pts, int64_t dts, int64_t pos);
extern int av_dict_set (AVDictionary **options, const char *key,
    const char *value, int flags);
extern AVFrame *av_frame_alloc (void);
extern AVPacket *av_packet_alloc (void);
extern void av_packet_unref (AVPacket *packet);
extern int av_packet_from_data (AVPacket *packet, uint8_t *data, int bytes);
extern void *av_mallocz (size_t bytes);

static AVCodecContext *context;
static AVFrame *frame;
static AVPacket *packet;
static int errors;
static long frames;

static void
die (const char *what)
{
  fprintf (stderr, "decode: %s\n", what);
  exit (3);
}

static void
send (const AVPacket *data)
{
  int status = avcodec_send_packet (context, data);

  if (status < 0 && status != END_OF_FILE)
    errors++;
  while ((status = avcodec_receive_frame (context, frame)) >= 0)
    frames++;
  if (status != -EAGAIN && status != END_OF_FILE)
    errors++;
}

/* Sends what the parser gave as one access unit. The packet owns a copy. */
static void
send_unit (const uint8_t *unit, int bytes)
{
  uint8_t *copy = av_mallocz ((size_t) bytes + PADDING_BYTES);

  if (copy == NULL)
    die ("no memory");
  for (int i = 0; i < bytes; i++)
    copy[i] = unit[i];
  if (av_packet_from_data (packet, copy, bytes) < 0)
    die ("no memory");
  send (packet);
  av_packet_unref (packet);
}

static void
parse (AVCodecParserContext *parser, const uint8_t *data, int bytes)
{
  do {
    uint8_t *unit;
    int unit_bytes;
    int used = av_parser_parse2 (parser, context, &unit, &unit_bytes, data,
        bytes, NO_PTS, NO_PTS, 0);

    if (used < 0)
      die ("the stream cannot be parsed");
    data += used;
    bytes -= used;
    if (unit_bytes > 0)
      send_unit (unit, unit_bytes);
  } while (bytes > 0);
}

int
main (int argc, char **argv)
{
  static uint8_t data[CHUNK_BYTES + PADDING_BYTES];
  const AVCodec *codec = avcodec_find_decoder (CODEC_ID_H264);
  AVCodecParserContext *parser = av_parser_init (CODEC_ID_H264);
  AVDictionary *options = NULL;
  const char *name;
  FILE *file;
  size_t bytes;

  if (argc != 2 && argc != 4) {
    fputs ("usage: decode FILE [FIRST LAST]\n", stderr);
    return 2;
  }
  file = fopen (argv[1], "rb");
  if (file == NULL)
    die ("the file cannot be opened");
  name = argv[1];
  for (const char *at = argv[1]; *at != 0; at++)
    if (*at == '/')
      name = at + 1;
  qpu_hook_output (stdout, name, argc == 4 ? strtol (argv[2], NULL, 10) : 0,
      argc == 4 ? strtol (argv[3], NULL, 10) : LONG_MAX);
  if (codec == NULL || parser == NULL)
    die ("libavcodec has no decoder of H.264");
  context = avcodec_alloc_context3 (codec);
  frame = av_frame_alloc ();
  packet = av_packet_alloc ();
  if (context == NULL || frame == NULL || packet == NULL
      || av_dict_set (&options, "threads", "1", 0) < 0
      || av_dict_set (&options, "ec", "0", 0) < 0)
    die ("no memory");
  if (avcodec_open2 (context, codec, &options) < 0)
    die ("the decoder cannot be opened");
  while ((bytes = fread (data, 1, CHUNK_BYTES, file)) > 0) {
    for (int i = 0; i < PADDING_BYTES; i++)
      data[bytes + i] = 0;
    parse (parser, data, (int) bytes);
  }
  parse (parser, NULL, 0);
  send (NULL);
  fclose (file);
  fprintf (stderr, "decode: %s: %ld frames\n", name, frames);
  if (errors > 0)
    fprintf (stderr, "decode: %s: %d errors\n", name, errors);
  return errors > 0;
}
