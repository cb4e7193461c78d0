/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.gstqpu.pipelines.CheckPackages;
import org.gstqpu.pipelines.CommandHere;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of a film is in the file that {@code qpu transcode} makes of it, and what it tells of the rest, by ffprobe. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class KeptIT {
    private static final long LIMIT_SECONDS = 600;
    private static final String PICTURES = "-f lavfi -i testsrc2=size=160x96:rate=25:duration=1 ";
    private static final String SOUND = "-f lavfi -i sine=duration=1 ";
    private static final String QUICK = "-c:v libx264 -preset ultrafast ";

    @TempDir
    private static Path samples;

    @TempDir
    private Path folder;

    @BeforeAll
    static void makeFilms() throws IOException {
        CheckPackages.needElement("x264enc", "gstreamer1.0-plugins-ugly");
        Files.writeString(samples.resolve("styled.ass"), """
                [Script Info]
                ScriptType: v4.00+
                [V4+ Styles]
                Format: Name, Fontname, Fontsize
                Style: Default,Arial,20
                [Events]
                Format: Layer, Start, End, Style, Text
                Dialogue: 0,0:00:00.10,0:00:00.80,Default,{\\b1}Hi
                """);
        Files.writeString(samples.resolve("film.txt"), """
                ;FFMETADATA1
                title=A & B
                artist=Me
                creation_time=2012-03-04T05:06:07Z
                location=+48.2+016.3/
                [CHAPTER]
                TIMEBASE=1/1000
                START=0
                END=400
                title=One
                [CHAPTER]
                TIMEBASE=1/1000
                START=400
                END=1000
                title=Two
                """);
        Files.write(samples.resolve("font.ttf"), new byte[1000]);
        ffmpeg(
                PICTURES + SOUND + SOUND
                        + "-i styled.ass -i film.txt -map 0 -map 1 -map 2 -map 3 -map_metadata 4 -map_chapters 4 -attach font.ttf"
                        + " -metadata:s:t mimetype=application/x-truetype-font " + QUICK
                        + "-c:a:0 aac -c:a:1 ac3 -c:s ass -metadata:s:a:0 language=jpn"
                        + " -metadata:s:a:1 language=eng -disposition:a:0 default -disposition:a:1 0 -disposition:s:0 forced film.mkv");
        ffmpeg(PICTURES + "-vf setfield=tff -c:v mpeg2video -flags +ilme+ildct top.ts");
        ffmpeg(PICTURES + QUICK + "-vf setfield=bff -flags +ilme+ildct -x264opts bff=1 bottom.mkv");
        ffmpeg(PICTURES + QUICK + "-x264opts fullrange=on full.mp4");
        ffmpeg(
                PICTURES + QUICK
                        + "-vf setsar=16/11 -x264opts colorprim=bt709:transfer=bt709:colormatrix=bt709:chromaloc=2 colours.mkv");
        ffmpeg("-f lavfi -i testsrc2=size=160x96:rate=25:duration=0.4 -pix_fmt yuv420p10le -c:v libx265 -x265-params"
                + " log-level=error:hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc"
                + ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400"
                + " hdr.mkv");
        ffmpeg(PICTURES + QUICK + "upright.mp4");
        ffmpeg(
                "-f lavfi -i testsrc2=size=640x360:rate=25:duration=4 -f lavfi -i sine=duration=4 -c:v mpeg4 -q:v 2 -c:a aac sounding.mp4");
        ffmpeg("-i upright.mp4 -c copy -metadata:s:v rotate=90 rotated.mp4");
        ffmpeg(PICTURES + QUICK + "-vf setsar=4/3 lying.mp4");
        ffmpeg("-i lying.mp4 -c copy -metadata:s:v rotate=90 wide.mp4");
        ffmpeg("-i upright.mp4 -c copy -metadata:s:v stereo_mode=left_right stereo.mkv");
        ffmpeg(PICTURES + "-c:v ffv1 -pix_fmt gray grey.mkv");
        ffmpeg(PICTURES + "-c:v ffv1 -pix_fmt yuv420p12le deep.mkv");
        ffmpeg("-f lavfi -i testsrc=size=161x97:rate=25:duration=0.4 -c:v mjpeg -pix_fmt yuvj420p odd.avi");
        ffmpeg(PICTURES + QUICK + "-vf setpts=N*(1+N/20)/25/TB -fps_mode vfr varying.mp4");
        // Its sound has more than is to be heard at its beginning, and a video that is shorter is the film.
        ffmpeg("-i film.mkv -map 0:v -map 0:a:0 -c copy primed.mp4");
        ffmpeg(PICTURES + "-f lavfi -i testsrc=size=160x96:rate=25:duration=0.4 -map 0 -map 1 " + QUICK
                + "-disposition:v:0 0 -disposition:v:1 default second.mkv");
        ffmpeg("-i second.mkv -map 0 -c copy -disposition:v:0 0 -disposition:v:1 default second.mp4");
        ffmpeg("-f lavfi -i testsrc2=size=64x48:rate=25:duration=1 " + PICTURES
                + "-map 0 -map 1 -c:v mjpeg preview.avi");
        // Shown for 1, 2 and 5 seconds.
        ffmpeg(
                "-f lavfi -i testsrc2=size=160x96:rate=1:duration=4 -vf select=not(eq(n\\,2)) -fps_mode vfr -c:v mpeg4 three.mp4");
        ffmpeg("-i three.mp4 -c copy -bsf:v setts=duration='if(gte(PTS*TB,2.9),5/TB,DURATION)' slides.mp4");
        ffmpeg("-i slides.mp4 -c copy slides.mkv");
        // Two pictures at 0.08 s.
        ffmpeg(PICTURES + "-pix_fmt yuvj420p -c:v mjpeg -bsf:v setts=ts=40*(N-gte(N\\,3)) twice.mkv");
        ffmpeg("-f lavfi -i color=red:size=32x32 -frames:v 1 cover.jpg");
        ffmpeg("-i sounding.mp4 -i cover.jpg -map 0 -map 1 -t 1 -c copy -disposition:v:1 attached_pic covered.mp4");
        ffmpeg("-i sounding.mp4 -attach cover.jpg -metadata:s:t mimetype=image/jpeg -t 1 -c copy covered.mkv");
        ffmpeg(PICTURES + SOUND + PICTURES + SOUND + "-map 0 -map 1 -map 2 -map 3 -c:v mpeg2video -c:a mp2"
                + " -program st=0:st=1 -program st=2:st=3 programs.ts");
        ffmpeg(
                "-i top.ts -c copy -metadata service_name=A-service_name -metadata service_provider=A-service_provider named.ts");
        ffmpeg("-i lying.mp4 -c copy -metadata:s:v language=zh-Hant -f matroska -live 1 live.mkv");
        nest(samples.resolve("live.mkv"), samples.resolve("nested.mkv"));
        addMakers(samples.resolve("upright.mp4"), samples.resolve("maker.mp4"));
        ffmpeg(PICTURES + "-itsoffset 0.5 " + SOUND + QUICK + "-c:a mp2 late.ts");
        ffmpeg(PICTURES + SOUND + "-pix_fmt yuv420p -c:v mpeg2video -ac 6 -c:a ac3 -f dvd disc.vob");
        ffmpeg(PICTURES + "-f lavfi -i sine=duration=1.6 " + QUICK + "-c:a mp2 more.ts");
        join("more.ts", "late.ts", "joined.ts");
        join("disc.vob", "disc.vob", "joined.vob");
        ffmpeg("-i more.ts -c copy -bsf setts=ts=TS+270000*gte(TS\\,45000) lost.ts");
        ffmpeg("-f lavfi -i testsrc2=size=160x96:rate=25:duration=4 -f lavfi -i sine=duration=4 " + QUICK
                + "-bf 2 -g 100 -c:a aac whole.mp4");
        ffmpeg("-ss 2.52 -i whole.mp4 -c copy end.mp4");
        ffmpeg("-itsoffset 0.4 -i whole.mp4 -c copy parts.mp4");
        showParts(samples.resolve("parts.mp4"));
        ffmpeg(PICTURES + QUICK + "-bf 0 plain.h264");
        insert("plain.h264", "\\x41\\x65", CAPTION, "captioned.h264");
        ffmpeg("-r 25 -i captioned.h264 -c copy captioned.mkv");
        ffmpeg(
                "-f lavfi -i testsrc2=size=160x96:rate=25:duration=0.4 -pix_fmt yuv420p10le -c:v libx265 -x265-params"
                        + " log-level=error:bframes=0:slices=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc plain.hevc");
        insert("plain.hevc", "\\x02\\x26\\x28", DYNAMIC, "dynamic.hevc");
        ffmpeg("-i dynamic.hevc -c copy -bsf:v setts=ts=N*40 dynamic.mkv");
        Files.write(samples.resolve("image.sup"), HexFormat.of().parseHex(IMAGE));
        ffmpeg(PICTURES + "-i image.sup -map 0 -map 1 " + QUICK + "-c:s copy images.mkv");
        Files.writeString(
                samples.resolve("lines.scc"),
                "Scenarist_SCC V1.0\n\n00:00:00:00\t9420 9420 9470 9470 c869 942f 942f\n\n00:00:00:20\t942c 942c\n");
        ffmpeg(PICTURES + "-i lines.scc -map 0 -map 1 " + QUICK + "-c:s copy lines.mov");
        ffmpeg(PICTURES + PICTURES + "-map 0 -map 1 " + QUICK + "-c:v:1 mpeg4 two.mp4");
        ffmpeg(PICTURES + "-f data -i font.ttf -map 0 -map 1 " + QUICK + "-c:d copy data.ts");
        ffmpeg("-f lavfi -i testsrc2=size=160x96:rate=25:duration=4 -c:v mpeg4 -bf 2 ahead.avi");
        ffmpeg("-i images.mkv -c:v mpeg2video -c:s dvbsub -metadata:s:s language=fin images.ts");
        callTeletext(samples.resolve("images.ts"), samples.resolve("teletext.ts"));
    }

    /** A caption of CEA-608 as H.264 has it, dynamic metadata of HDR10+ as H.265 has it, and a Blu-ray's image of 8x2. */
    private static final String CAPTION = "0000000106040eb50031474139340341fffc9420ff80";

    private static final String DYNAMIC = "000000014e010419b5003c0001040140007d0007d003e801f4007d05900e100a0080";
    private static final String IMAGE =
            "50470000232800000000160013001000101000008000000100000000000000005047000023280000000017000a"
                    + "0100000000000008000250470000232800000000140007000001eb8080ff50470000232800000000150015000000c000000e000800020088"
                    + "010000008801000050470000232800000000800000";

    /** Puts a message before each picture, whose first byte behind the start code is one of {@code kinds}. */
    private static void insert(String from, String kinds, String message, String to) throws IOException {
        String stream = Files.readString(samples.resolve(from), StandardCharsets.ISO_8859_1);
        String inserted = new String(HexFormat.of().parseHex(message), StandardCharsets.ISO_8859_1);
        Files.writeString(
                samples.resolve(to),
                stream.replaceAll("\\x00\\x00\\x01(?=[" + kinds + "])", inserted + "$0"),
                StandardCharsets.ISO_8859_1);
    }

    private static void join(String one, String next, String to) throws IOException {
        Files.copy(samples.resolve(one), samples.resolve(to));
        Files.write(samples.resolve(to), Files.readAllBytes(samples.resolve(next)), StandardOpenOption.APPEND);
    }

    /** Gives a live Matroska, which has no index, two editions of chapters, and makes other elements of some of its track's. */
    private static void nest(Path live, Path nested) throws IOException {
        String within = chapter("02", "1DCD6500", "One.b");
        String chapters = element(
                "1043A770",
                element(
                        "45B9",
                        chapter("01", "00", "One", element("80", element("85", hex("Eins"))), within),
                        chapter("03", "23C34600", "Two")),
                element("45B9", "45DD8101", chapter("04", "23C34600", "B"), chapter("05", "00", "A")));
        String stream = HexFormat.of().formatHex(Files.readAllBytes(live));
        stream = stream.replaceFirst("1f43b675", chapters + "$0")
                // Language becomes LanguageBCP47, and DisplayWidth PixelCropTop.
                .replaceFirst("22b59c(?=.." + hex("zh-Hant") + ")", "22b59d")
                .replaceFirst("54b081", "54bb81");
        Files.write(nested, HexFormat.of().parseHex(stream));
    }

    /** Gives an MP4 that ends with the user's data one atom more of it, and XMP. */
    private static void addMakers(Path plain, Path more) throws IOException {
        byte[] camera = HexFormat.of().parseHex("0000000c" + hex("GPMF") + "44455643");
        byte[] bytes = Files.readAllBytes(plain);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        for (String parent : List.of("moov", "udta")) {
            int at = text.lastIndexOf(parent) - Integer.BYTES;
            ByteBuffer values = ByteBuffer.wrap(bytes);
            values.putInt(at, values.getInt(at) + camera.length);
            assertEquals(bytes.length + camera.length, at + values.getInt(at), parent + " is not the last");
        }
        Files.write(more, bytes);
        Files.write(more, camera, StandardOpenOption.APPEND);
        byte[] xmp =
                HexFormat.of().parseHex("0000001c" + hex("uuid") + "be7acfcb97a942e89c71999491e3afac" + hex("<x/>"));
        Files.write(more, xmp, StandardOpenOption.APPEND);
    }

    /** Makes the descriptor of a transport stream's subtitles one of teletext, of page 888, and one of nothing. */
    private static void callTeletext(Path images, Path teletext) throws IOException {
        byte[] stream = Files.readAllBytes(images);
        for (int packet = 0; packet < stream.length; packet += 188) {
            String text = new String(stream, packet, 188, StandardCharsets.ISO_8859_1);
            int at = text.indexOf("Y\u0008fin");
            if (at >= 0) {
                byte[] descriptors = HexFormat.of().parseHex("5605" + hex("fin") + "1088520107");
                System.arraycopy(descriptors, 0, stream, packet + at, descriptors.length);
                int table = packet + 5;
                int checked = (ByteBuffer.wrap(stream).getShort(table + 1) & 0xFFF) - 1;
                int crc = -1;
                for (int i = 0; i < 8 * checked; i++) {
                    int bit = (stream[table + i / 8] >> (7 - i % 8)) & 1;
                    crc = (crc << 1) ^ (crc >>> 31 == bit ? 0 : 0x04C11DB7);
                }
                ByteBuffer.wrap(stream).putInt(table + checked, crc);
            }
        }
        Files.write(teletext, stream);
    }

    private static String chapter(String uid, String start, String title, String... more) {
        String parts = element("73C4", uid) + element("91", start) + element("80", element("85", hex(title)));
        return element("B6", parts, String.join("", more));
    }

    /** An element of Matroska, as hexadecimal digits. */
    private static String element(String id, String... contents) {
        String content = String.join("", contents);
        return id + HexFormat.of().toHexDigits((short) (0x4000 | content.length() / 2)) + content;
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Changes edit lists of a pause and a part so that they show 0.2 to 0.8 s and 1.4 to 2.6 s of their tracks. */
    private static void showParts(Path film) throws IOException {
        byte[] bytes = Files.readAllBytes(film);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        ByteBuffer values = ByteBuffer.wrap(bytes);
        int at = text.indexOf("elst");
        for (; at > 0; at = text.indexOf("elst", at + 1)) {
            int scale = values.getInt(text.indexOf("mdhd", at) + 16);
            int begins = values.getInt(at + 28);
            values.putInt(at + 12, 600).putInt(at + 16, begins + scale / 5);
            values.putInt(at + 24, 1200).putInt(at + 28, begins + scale * 7 / 5);
        }
        Files.write(film, bytes);
    }

    private static void ffmpeg(String line) {
        // A shell's working folder: the films name each other without one.
        List<String> command = new ArrayList<>(List.of("env", "-C", samples.toString()));
        command.addAll(List.of(("ffmpeg -nostdin -v error " + line).split(" ", -1)));
        ChildProcess child = new ChildProcess(command, Map.of());
        ChildProcess.Result result = child.run(LIMIT_SECONDS).orElseThrow();
        assertEquals(0, result.status(), () -> child.commandLine() + "\n" + result.output());
    }

    /** A part of the output of ffprobe that says what is kept: streams with marks and languages, chapters and tags. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mkv | h264, aac default jpn, ac3 eng, ass forced, ttf | 0.0-0.4 One, 0.4-1.0 Two"
                        + " | artist, creation_time, location, title |",
                "mp4 | h264 default, aac default jpn, ac3 eng, mov_text default forced | 0.0-0.4 One, 0.4-1.0 Two"
                        + " | artist, creation_time, location, title | converted to mov_text; attachment 4 left out",
                "mov | h264 default, aac default jpn, ac3 eng, mov_text default | 0.0-0.4 One, 0.4-1.0 Two"
                        + " | artist, creation_time, location, title | converted to mov_text; attachment 4 left out; mark forced",
                // All begins later by what Opus puts before its sound, the pictures, too.
                "webm | vp8, opus default jpn, opus eng, webvtt forced | 0.0065-0.4065 One, 0.4065-1.0065 Two"
                        + " | artist, creation_time, location, title | encoded as opus; converted to webvtt; attachment 4 left out",
                "avi | h264, aac, ac3 | | artist, title | subtitles 3 left out; attachment 4 left out; chapters left out;"
                        + " mark default (sound 1); tag creation_time,; tag language (sound 1, sound 2); tag location",
                "ts | h264, aac jpn, ac3 eng | | | subtitles 3 left out; attachment 4 left out; chapters left out;"
                        + " mark default; tag creation_time"
            })
    void whatAFilmHasIsKeptOrToldBeforeTheWork(String suffix, String streams, String chapters, String tags, String told)
            throws IOException {
        Path out = folder.resolve("out." + suffix);
        String said = transcode("film.mkv", out);
        JsonObject file = ffprobe(out, "-show_format -show_streams -show_chapters");
        assertEquals(streams, String.join(", ", streams(file)));
        assertEquals(chapters == null ? "" : chapters, String.join(", ", chapters(file)));
        Map<String, String> kept = tags(file.getAsJsonObject("format"));
        for (String tag : tags == null ? new String[0] : tags.split(", ", -1)) {
            String had = tags(ffprobe(samples.resolve("film.mkv"), "-show_format")
                            .getAsJsonObject("format"))
                    .get(tag);
            // MP4 holds a place as numbers.
            assertEquals(
                    had.replaceAll("[0/]", ""), kept.getOrDefault(tag, "").replaceAll("[0/]", ""), tag + " in " + kept);
        }
        String note = said.lines()
                .filter(line -> line.contains(": note: "))
                .findFirst()
                .orElse("");
        assertEquals(told == null, note.isEmpty(), note);
        for (String part : told == null ? new String[0] : told.split("; ?", -1)) {
            assertTrue(note.contains(part), () -> part + " is not in: " + note);
        }
        assertTrue(said.indexOf(note) <= said.indexOf(" pictures in "), said);
    }

    /** Members of the stream, or of the first picture, that ffprobe prints for the video. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "top.ts | mkv | h264 | field_order=tt interlaced_frame=1 top_field_first=1 |",
                "top.ts | mp4 | h264 | field_order=tt interlaced_frame=1 top_field_first=1 |",
                "bottom.mkv | ts | h264 | field_order=bb interlaced_frame=1 top_field_first=0 |",
                "bottom.mkv | avi | h264 | interlaced_frame=1 top_field_first=0 |",
                "top.ts | mkv | h265 | field_order=progressive interlaced_frame=0 nb_read_frames=25 | deinterlaced",
                "top.ts | webm | vp8 | interlaced_frame=0 nb_read_frames=25 | deinterlaced",
                "full.mp4 | mp4 | h264 | color_range=pc |",
                "full.mp4 | mkv | h265 | color_range=pc |",
                "full.mp4 | webm | vp9 | color_range=pc |",
                "full.mp4 | ts | h264 | color_range=pc |",
                "colours.mkv | mp4 | h264 | color_primaries=bt709 color_transfer=bt709 color_space=bt709"
                        + " chroma_location=topleft sample_aspect_ratio=16:11 |",
                "colours.mkv | ts | h265 | color_primaries=bt709 color_transfer=bt709 color_space=bt709"
                        + " sample_aspect_ratio=16:11 | where chroma samples lie (topleft) is left out",
                "hdr.mkv | mkv | h264 | pix_fmt=yuv420p10le color_transfer=smpte2084|"
                        + " mastering display and light levels of HDR10 are left out",
                "hdr.mkv | mp4 | h265 | pix_fmt=yuv420p10le color_transfer=smpte2084 max_luminance=10000000/10000"
                        + " max_content=1000 |",
                "rotated.mp4 | mp4 | h264 | width=96 height=160 | turned",
                "wide.mp4 | mkv | h264 | width=96 height=160 sample_aspect_ratio=3:4 display_aspect_ratio=9:20 | turned",
                "wide.mp4 | mp4 | h264 | width=96 height=160 sample_aspect_ratio=3:4 | turned",
                "rotated.mp4 | mkv | h265 | width=96 height=160 | turned",
                "stereo.mkv | mkv | h264 | stereo_mode=left_right inverted=0 |",
                "stereo.mkv | mp4 | h264 | width=160 | writes it: Stereo 3D",
                "grey.mkv | mkv | h264 | pix_fmt=yuv420p |",
                "deep.mkv | mkv | h264 | pix_fmt=yuv420p10le | the pictures are yuv420p12le and become I420_10LE",
                "odd.avi | mp4 | h264 | width=162 height=98 | 161x97 becomes 162x98",
                "odd.avi | webm | vp9 | width=161 height=97 |",
                "varying.mp4 | mkv | h264 | nb_read_frames=25 |",
                "varying.mp4 | avi | h264 | r_frame_rate=25/1 | its rate varies",
                "captioned.mkv | mkv | h264 | side_data_type=ATSC.A53.Part.4.Closed.Captions |",
                "captioned.mkv | ts | h265 | nb_read_frames=25 | closed captions are left out: x265enc",
                "dynamic.mkv | mkv | h265 | nb_read_frames=10 | HDR Dynamic Metadata SMPTE2094-40"
            })
    void theFormOfThePicturesIsKeptOrTold(String in, String suffix, String encoder, String members, String told) {
        Path out = folder.resolve("out." + suffix);
        String said = transcode(in, out, "--encoder", encoder);
        JsonObject file = ffprobe(out, "-count_frames -select_streams v:0 -show_streams -show_frames");
        String all = file.getAsJsonArray("streams").get(0) + " "
                + file.getAsJsonArray("frames").get(0);
        for (String member : members.split(" ", -1)) {
            String[] nameAndValue = member.split("=", 2);
            String json = "\"" + nameAndValue[0] + "\":\"?" + nameAndValue[1] + "\"?[,}]";
            assertTrue(all.matches("(?s).*" + json + ".*"), () -> member + " is not in: " + all);
        }
        assertEquals(told != null, said.contains(": note: "), said);
        assertTrue(told == null || said.contains(told), said);
    }

    /** The distance of the first picture and the first sound is that of IN, whatever point the containers count from. */
    @ParameterizedTest
    @CsvSource({"mkv, 0.5, 0.05", "mp4, 0.5, 0.05", "ts, 0.5, 0.05", "avi, 0, 0.05"})
    void soundThatBeginsLateStaysInTime(String suffix, double seconds, double tolerance) {
        Path out = folder.resolve("out." + suffix);
        transcode("late.ts", out);
        JsonArray streams = ffprobe(out, "-show_streams").getAsJsonArray("streams");
        double video = streams.get(0).getAsJsonObject().get("start_time").getAsDouble();
        double sound = streams.get(1).getAsJsonObject().get("start_time").getAsDouble();
        assertEquals(seconds, sound - video, tolerance);
    }

    /** GStreamer goes on from other times than ffmpeg, which copies the sound: up to seconds apart. */
    @ParameterizedTest
    @CsvSource({"joined.ts, mkv, 0.002", "joined.vob, mkv, 0.002", "lost.ts, mkv, 0.002", "lost.ts, mp4, 0.03"})
    void timesThatBeginAnewOrJumpAreOneLine(String in, String suffix, double tolerance) {
        Path out = folder.resolve("out." + suffix);
        String said = transcode(in, out);
        assertTrue(said.contains("times that begin anew or jump are put into one line"), said);
        Path copy = folder.resolve("copy.mkv");
        ffmpeg("-i " + in + " -c copy " + copy);
        for (String stream : List.of("v", "a")) {
            List<Double> wanted = times(ffprobe(copy, "-show_packets -select_streams " + stream));
            List<Double> got = times(ffprobe(out, "-show_packets -select_streams " + stream));
            assertEquals(wanted.size(), got.size());
            for (int i = 0; i < got.size(); i++) {
                assertEquals(wanted.get(i), got.get(i), tolerance, stream + i);
            }
        }
    }

    @Test
    void noTimeIsFoundWhereTimesBeginAnew() {
        String said = CommandHere.run(
                        "transcode", samples.resolve("joined.ts"), folder.resolve("out.mkv"), "--from", "1")
                .output();
        assertTrue(said.contains("--from and --to have no place in it; put them into one line first: ffmpeg "), said);
    }

    /** Streams that a container takes as they are, as something else, or only as packets of which nobody knows what they are. */
    @ParameterizedTest
    @CsvSource({
        "images.mkv, ts, h264 dvb_subtitle, subtitles 1 converted to dvbsub",
        "lines.mov, mov, h264 eia_608,",
        "two.mp4, ts, h264 mpeg4,",
        "data.ts, mp4, h264, data 1 left out: .mp4 takes no bin_data",
        "data.ts, ts, h264 bin_data,",
        "teletext.ts, ts, h264 dvb_teletext,",
        "teletext.ts, mkv, h264, subtitles 1 left out: .mkv takes no dvb_teletext"
    })
    void aCopyIsKnownInTheFile(String in, String suffix, String codecs, String told) {
        Path out = folder.resolve("out." + suffix);
        String said = transcode(in, out);
        assertEquals(told != null, said.contains(" left out: ") || said.contains(" converted to "), said);
        assertTrue(told == null || said.contains(told), said);
        JsonArray streams = ffprobe(out, "-show_streams").getAsJsonArray("streams");
        List<String> found = new ArrayList<>();
        for (JsonElement stream : streams) {
            found.add(stream.getAsJsonObject().get("codec_name").getAsString());
            // Without its headers nobody knows the size of MPEG-4.
            JsonElement width = stream.getAsJsonObject().get("width");
            assertTrue(width == null || width.getAsInt() > 0, stream.toString());
        }
        assertEquals(codecs, String.join(" ", found));
    }

    @ParameterizedTest
    @CsvSource({"whole.mp4, h264", "whole.mp4, h265", "whole.mp4, vp8", "whole.mp4, mpeg4", "ahead.avi, h264"})
    void picturesKeepTheirTimesWithEachEncoder(String in, String encoder) {
        Path out = folder.resolve("out.mkv");
        transcode(in, out, "--encoder", encoder);
        List<Double> times = list(ffprobe(out, "-select_streams v -show_packets"), "packets")
                .map(packet -> packet.get("pts_time").getAsDouble())
                .sorted()
                .toList();
        assertEquals(100, times.size());
        for (int i = 0; i < times.size(); i++) {
            assertEquals(times.get(0) + 0.04 * i, times.get(i), 0.0015, "picture " + i);
        }
    }

    /**
     * Pictures and sound that an edit list cuts are not in OUT, but for a part of the first packet of sound, and all others are, and in
     * time: the film begins with a cut behind its last key frame, or has a cut in its middle.
     */
    @ParameterizedTest
    @CsvSource({
        "end.mp4, mkv, 37, 1.48, 0",
        "end.mp4, mp4, 37, 1.48, 0",
        "end.mp4, ts, 37, 1.48, 0",
        "end.mp4, avi, 37, 1.48, 0",
        "end.mp4, webm, 37, 1.48, 0",
        "parts.mp4, mkv, 45, 1.8, 0",
        "parts.mp4, mp4, 45, 1.8, 0",
        "parts.mp4, ts, 45, 1.8, 0",
        "parts.mp4, avi, 45, 1.8, 0"
    })
    void whatAnEditListCutsIsCut(String in, String suffix, int pictures, double sounds, double ahead) {
        Path out = folder.resolve("out." + suffix);
        String said = transcode(in, out);
        JsonArray streams = ffprobe(out, "-count_frames -show_streams").getAsJsonArray("streams");
        JsonObject video = streams.get(0).getAsJsonObject();
        assertEquals(pictures, video.get("nb_read_frames").getAsInt());
        List<Double> packets = list(ffprobe(out, "-select_streams a -show_packets"), "packets")
                .filter(packet -> packet.get("pts_time").getAsDouble() >= 0)
                .map(packet -> packet.get("duration_time").getAsDouble())
                .toList();
        assertEquals(sounds, packets.stream().mapToDouble(each -> each).sum(), 0.08);
        double start = streams.get(1).getAsJsonObject().get("start_time").getAsDouble();
        assertEquals(ahead, start - video.get("start_time").getAsDouble(), suffix.equals("avi") ? 0.45 : 0.05);
        assertEquals(in.equals("parts.mp4"), said.contains("an edit list leaves out parts of it"), said);
    }

    @Test
    void aFilmWhoseMiddleIsCutIsOneSegment() throws IOException {
        Path in = Files.createDirectories(folder.resolve("in"));
        Files.copy(samples.resolve("parts.mp4"), in.resolve("parts.mp4"));
        Path out = folder.resolve("out");
        ChildProcess.Result result = CommandHere.run(
                "batch", in, out, "--segment", "1s", "--workers", "1", "--set", "strength=0", "--set", "substrate=cpu");
        assertEquals(ExitStatus.OK, result.status(), result.output());
        assertTrue(
                result.output().contains("is not cut: its edit list leaves out parts in its middle"), result.output());
        JsonArray streams =
                ffprobe(out.resolve("parts.mkv"), "-count_frames -show_streams").getAsJsonArray("streams");
        assertEquals(45, streams.get(0).getAsJsonObject().get("nb_read_frames").getAsInt());
    }

    /** libopus takes no speakers at the sides, and a transport stream takes the packets of a disc's menus as if they were data. */
    @ParameterizedTest
    @CsvSource({"webm, vp8 opus", "ts, h264 ac3"})
    void aDiscsSoundAroundIsKeptAndItsMenusAreLeftOut(String suffix, String codecs) {
        Path out = folder.resolve("out." + suffix);
        String said = transcode("disc.vob", out, "--encoder", codecs.split(" ", 2)[0]);
        assertTrue(said.contains("data 0 left out: ." + suffix + " takes no dvd_nav_packet"), said);
        JsonArray streams = ffprobe(out, "-show_streams").getAsJsonArray("streams");
        assertEquals(
                codecs,
                StreamSupport.stream(streams.spliterator(), false)
                        .map(stream ->
                                stream.getAsJsonObject().get("codec_name").getAsString())
                        .collect(Collectors.joining(" ")));
        assertEquals(6, streams.get(1).getAsJsonObject().get("channels").getAsInt());
    }

    @ParameterizedTest
    @CsvSource({
        "slides.mp4, mp4, x264enc",
        "slides.mp4, mov, x264enc",
        "slides.mp4, mkv, x264enc",
        "slides.mp4, webm, vp8enc",
        "slides.mkv, mp4, x264enc",
        "slides.mkv, mkv, avenc_mpeg4"
    })
    void theLastPictureIsShownAsLongAsBefore(String in, String suffix, String encoder) {
        Path out = folder.resolve("out." + suffix);
        String said = transcode(in, out, "--encoder", encoder);
        assertFalse(said.contains(": note: "), said);
        JsonObject file = ffprobe(out, "-show_format -show_packets");
        assertEquals(8, file.getAsJsonObject("format").get("duration").getAsDouble(), 0.01);
        assertEquals(List.of(0.0, 1.0, 3.0), times(file));
    }

    @Test
    void aFilmThatEndsEarlierEndsItsLastPicture() {
        Path out = folder.resolve("out.mp4");
        transcode("slides.mp4", out, "--from", "1", "--to", "6");
        JsonObject file = ffprobe(out, "-show_format -show_packets");
        assertEquals(5, file.getAsJsonObject("format").get("duration").getAsDouble(), 0.01);
        assertEquals(List.of(0.0, 2.0), times(file));
    }

    /** A picture is shown from its time on, and not from the middle of the gap before it. */
    @Test
    void whereTheRateIsConstantEachPictureComesAgainUntilTheNext() {
        Path out = folder.resolve("out.avi");
        String said = transcode("slides.mkv", out, "--encoder", "avenc_mpeg4", "--quality", "1");
        assertTrue(said.contains("its rate varies, that of .avi cannot: "), said);
        List<Integer> bytes = list(ffprobe(out, "-show_packets"), "packets")
                .map(packet -> packet.get("size").getAsInt())
                .toList();
        assertEquals(0, bytes.size() % 8);
        int second = bytes.size() / 8;
        // A picture that comes again takes next to nothing.
        List<Integer> largest = IntStream.range(0, bytes.size())
                .boxed()
                .sorted(Comparator.comparing(bytes::get).reversed())
                .limit(3)
                .sorted()
                .toList();
        assertEquals(List.of(0, second, 3 * second), largest, bytes::toString);
    }

    @Test
    void aTransportStreamHasTheLastPictureAgainAtItsEnd() {
        Path out = folder.resolve("out.ts");
        String said = transcode("slides.mp4", out);
        assertTrue(said.contains("the last picture, shown for 5.0 s, comes again at its end"), said);
        List<Double> times = times(ffprobe(out, "-show_packets"));
        assertEquals(4, times.size());
        assertEquals(3, times.get(2) - times.get(0), 0.01);
        assertEquals(8, times.get(3) - times.get(0), 1.5);
    }

    @ParameterizedTest
    @CsvSource({
        "twice.mkv, mkv, x264enc",
        "twice.mkv, mp4, x264enc",
        "twice.mkv, webm, vp8enc",
        "twice.mkv, ts, x264enc",
        "twice.mkv, avi, x264enc"
    })
    void aPictureWithTheTimeOfTheOneBeforeIsNotLost(String in, String suffix, String encoder) {
        Path out = folder.resolve("out." + suffix);
        transcode(in, out, "--encoder", encoder);
        assertEquals(25, list(ffprobe(out, "-show_packets"), "packets").count());
    }

    private static List<Double> times(JsonObject file) {
        return list(file, "packets")
                .map(packet -> packet.get("pts_time").getAsDouble())
                .sorted()
                .toList();
    }

    @Test
    void theCoverOfAnMp4IsACoverInMatroska() {
        Path out = folder.resolve("out.mkv");
        String said = transcode("covered.mp4", out);
        assertTrue(said.contains("cover copied (mjpeg)"), said);
        assertFalse(said.contains(": note: "), said);
        JsonArray streams = ffprobe(out, "-show_streams").getAsJsonArray("streams");
        assertEquals(3, streams.size());
        assertEquals(
                1,
                streams.get(2)
                        .getAsJsonObject()
                        .getAsJsonObject("disposition")
                        .get("attached_pic")
                        .getAsInt());
    }

    /** ffmpeg writes no covers into an MP4 in which tags have names of their own. */
    @Test
    void aCoverThatWasAnAttachmentIsInAnMp4() {
        Path out = folder.resolve("out.mp4");
        String said = transcode("covered.mkv", out);
        assertTrue(said.contains("cover copied (mjpeg)"), said);
        assertEquals(List.of("h264 default", "aac default", "mjpeg"), streams(ffprobe(out, "-show_streams")));
    }

    @ParameterizedTest
    @CsvSource({"ts", "mkv"})
    void programsThatBecomeOneAreTold(String suffix) {
        Path out = folder.resolve("out." + suffix);
        String said = transcode("programs.ts", out);
        assertTrue(said.contains("the programs become one: there are 2"), said);
        assertEquals(4, streams(ffprobe(out, "-show_streams")).size());
    }

    @ParameterizedTest
    @CsvSource({"ts,", "mkv,", "mp4,", "avi, tag service_name; tag service_provider"})
    void theNameAndTheSenderOfABroadcastAreKeptOrTold(String suffix, String told) {
        Path out = folder.resolve("out." + suffix);
        String said = transcode("named.ts", out);
        Map<String, String> tags = new TreeMap<>();
        JsonObject file = ffprobe(out, "-show_format -show_programs");
        list(file, "programs").forEach(program -> tags.putAll(tags(program)));
        tags.putAll(tags(file.getAsJsonObject("format")));
        assertEquals(told == null, !said.contains(": note: "), said);
        for (String name : List.of("service_name", "service_provider")) {
            assertTrue(told == null ? tags.containsValue("A-" + name) : said.contains("tag " + name), said + tags);
        }
    }

    /** What ffmpeg does not read of Matroska: chapters within others, second editions, and what tracks say besides. */
    @ParameterizedTest
    @CsvSource({
        "mkv, 3 of 5 chapters left out; but for one language; the order of chapters; zh-Hant; 20 lines at the top",
        "mp4, 3 of 5 chapters left out; but for one language; the order of chapters; zh-Hant; 20 lines at the top",
        "avi, chapters left out: .avi; zh-Hant; 20 lines at the top"
    })
    void whatFfmpegDoesNotReadOfMatroskaIsTold(String suffix, String told) {
        String said = transcode("nested.mkv", folder.resolve("out." + suffix));
        String note = said.lines()
                .filter(line -> line.contains(": note: "))
                .findFirst()
                .orElse("");
        for (String part : told.split("; ", -1)) {
            assertTrue(note.contains(part), () -> part + " is not in: " + said);
        }
        assertEquals(suffix.equals("avi"), !note.contains("of 5 chapters"), note);
    }

    @ParameterizedTest
    @CsvSource({"second.mkv, 10 pictures", "second.mp4, 10 pictures", "preview.avi, 25 pictures"})
    void ofSeveralVideosTheFilmIsEncodedAndTold(String name, String pictures) {
        Path out = folder.resolve("out.mkv");
        String said = transcode(name, out);
        assertTrue(said.contains("of 2 videos, 1 is encoded") && said.contains(pictures), said);
        assertTrue(said.contains("another video copied"), said);
        assertEquals(
                160,
                list(ffprobe(out, "-show_streams"), "streams")
                        .findFirst()
                        .orElseThrow()
                        .get("width")
                        .getAsInt());
    }

    @ParameterizedTest
    @CsvSource({"primed.mp4, mkv", "primed.mp4, mov", "primed.mp4, webm", "film.mkv, mkv", "film.mkv, webm"})
    void chaptersStayWithThePictures(String name, String suffix) {
        Path out = folder.resolve("out." + suffix);
        transcode(name, out);
        assertEquals(secondChapter(samples.resolve(name)), secondChapter(out), 0.002);
    }

    /** Seconds from the first picture to the second chapter. */
    private static double secondChapter(Path film) {
        JsonObject file = ffprobe(film, "-select_streams v:0 -show_streams -show_chapters");
        return list(file, "chapters")
                        .skip(1)
                        .findFirst()
                        .orElseThrow()
                        .get("start_time")
                        .getAsDouble()
                - list(file, "streams")
                        .findFirst()
                        .orElseThrow()
                        .get("start_time")
                        .getAsDouble();
    }

    @ParameterizedTest
    @CsvSource({"mp4", "mkv"})
    void whatAMakerPutIntoAnMp4IsTold(String suffix) {
        String said = transcode("maker.mp4", folder.resolve("out." + suffix));
        assertTrue(said.contains(": note: "), said);
        assertTrue(said.contains("left out, as ffmpeg does not read it: GPMF, XMP"), said);
    }

    /** The reason is what the container lacks: it takes AAC. */
    @Test
    void soundThatBeginsLateIsNotSaidToBeOfAWrongKind() {
        String said = transcode("late.ts", folder.resolve("out.avi"));
        assertTrue(said.contains(".avi has no time stamps, and it begins later"), said);
        assertFalse(said.contains("takes no"), said);
    }

    /**
     * The samples of the first picture, as ffmpeg decodes them to grey of full range. At edges the encoder goes beyond those that were
     * there; lost contrast is 150 less.
     */
    @Test
    void greyKeepsItsContrast() {
        Path out = folder.resolve("out.mp4");
        transcode("grey.mkv", out);
        assertEquals(range(samples.resolve("grey.mkv")), range(out), 60);
    }

    private static int range(Path film) {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-nostdin", "-v", "error", "-i", film.toString()));
        command.addAll(List.of("-frames:v 1 -pix_fmt gray -f rawvideo -".split(" ", -1)));
        IntSummaryStatistics luma = new ChildProcess(command, Map.of())
                .run(LIMIT_SECONDS)
                .orElseThrow()
                .output()
                .chars()
                .summaryStatistics();
        return luma.getMax() - luma.getMin();
    }

    @ParameterizedTest
    @CsvSource({"mkv", "mp4"})
    void chaptersAndSoundAreCutWithThePictures(String suffix) {
        Path out = folder.resolve("out." + suffix);
        transcode("film.mkv", out, "--from", "0.2", "--to", "0.8");
        JsonObject file = ffprobe(out, "-show_format -show_streams -show_chapters");
        assertEquals(List.of("0.0-0.2 One", "0.2-0.6 Two"), chapters(file));
        assertEquals(0.6, file.getAsJsonObject("format").get("duration").getAsDouble(), 0.05);
    }

    /** ffmpeg needs the index first, which lies at the end of this file. */
    @Test
    void aServerThatSendsNoPartsGivesPicturesAndSound() throws IOException {
        byte[] film = Files.readAllBytes(samples.resolve("sounding.mp4"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (OutputStream body = exchange.getResponseBody()) {
                exchange.sendResponseHeaders(200, film.length);
                body.write(film);
            } catch (IOException e) {
                // The reader has gone: ffprobe has seen enough.
                exchange.close();
            }
        });
        server.start();
        try {
            Path out = folder.resolve("out.mkv");
            String said = transcode("http://127.0.0.1:" + server.getAddress().getPort() + "/film.mp4", out);
            assertTrue(said.contains("from which ffmpeg can read any part"), said);
            assertEquals(
                    List.of("h264", "aac"),
                    streams(ffprobe(out, "-show_streams")).stream()
                            .map(stream -> stream.split(" ", 2)[0])
                            .toList());
        } finally {
            server.stop(0);
        }
    }

    /** Its shape is in GStreamer's tags alone, and it fills its picture. */
    @Test
    void aPhonesFilmIsTurnedWithoutFfmpeg() throws IOException {
        Path out = folder.resolve("out.mp4");
        String said = transcodeWith("ffprobe", "#!/bin/sh\nexit 1\n", "rotated.mp4", out, ExitStatus.OK);
        assertTrue(said.contains("apt install ffmpeg"), said);
        JsonObject video = list(ffprobe(out, "-select_streams v -show_streams"), "streams")
                .findFirst()
                .orElseThrow();
        assertEquals(
                "96x160 1:1",
                video.get("width") + "x" + video.get("height") + " "
                        + video.get("sample_aspect_ratio").getAsString());
    }

    /** ffmpeg ends with status 0 after pictures that it does not write. */
    @Test
    void aFileThatLacksPicturesGetsNoName() throws IOException {
        Path out = folder.resolve("out.mkv");
        String said = transcodeWith("ffmpeg", """
                #!/bin/sh
                for word do
                  shift
                  [ "$word" != -progress ] || lacks=yes
                  [ "$word$lacks" != -c:0yes ] || set -- "$@" -frames:0 3
                  set -- "$@" "$word"
                done
                PATH=${PATH#*:}
                exec ffmpeg "$@"
                """, "full.mp4", out, ExitStatus.PROBLEM);
        assertTrue(said.contains("out.mkv: ffmpeg could not write it (3 of 25 pictures)"), said);
        assertEquals(List.of("ffmpeg"), List.of(folder.toFile().list()));
    }

    /** Transcodes where another program comes before one on the path. Returns what was said. */
    private String transcodeWith(String name, String script, String in, Path out, int status) throws IOException {
        Path program = Files.writeString(folder.resolve(name), script);
        assertTrue(program.toFile().setExecutable(true));
        ChildProcess.Result result = new ChildProcess(
                        List.of(
                                Installation.current().root() + "/pipelines/qpu",
                                "transcode",
                                samples.resolve(in).toString(),
                                out.toString()),
                        Map.of("PATH", folder + ":" + System.getenv("PATH")))
                .run(LIMIT_SECONDS)
                .orElseThrow();
        assertEquals(status, result.status(), result.output());
        return result.output();
    }

    private static String transcode(String in, Path out, String... options) {
        List<Object> arguments = new ArrayList<>(
                List.of("transcode", in.contains("://") ? in : samples.resolve(in), out, "--set", "strength=0"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("--set", "substrate=cpu"));
        ChildProcess.Result result = CommandHere.run(arguments.toArray());
        assertEquals(ExitStatus.OK, result.status(), result.output());
        return result.output();
    }

    private static JsonObject ffprobe(Path file, String what) {
        List<String> command = new ArrayList<>(List.of(("ffprobe -v quiet -of json " + what).split(" ", -1)));
        command.add(file.toString());
        return JsonParser.parseString(new ChildProcess(command, Map.of())
                        .run(LIMIT_SECONDS)
                        .orElseThrow()
                        .output())
                .getAsJsonObject();
    }

    private static List<String> streams(JsonObject file) {
        return list(file, "streams")
                .filter(stream -> !stream.get("codec_type").getAsString().equals("data"))
                .map(stream -> {
                    List<String> words =
                            new ArrayList<>(List.of(stream.get("codec_name").getAsString()));
                    for (String mark : List.of("default", "forced")) {
                        if (stream.getAsJsonObject("disposition").get(mark).getAsInt() != 0) {
                            words.add(mark);
                        }
                    }
                    String language = tags(stream).getOrDefault("language", "und");
                    if (!language.equals("und")) {
                        words.add(language);
                    }
                    return String.join(" ", words);
                })
                .toList();
    }

    private static List<String> chapters(JsonObject file) {
        return list(file, "chapters")
                .map(chapter -> chapter.get("start_time").getAsDouble() + "-"
                        + chapter.get("end_time").getAsDouble() + " "
                        + tags(chapter).get("title"))
                .toList();
    }

    private static java.util.stream.Stream<JsonObject> list(JsonObject file, String name) {
        return StreamSupport.stream(file.getAsJsonArray(name).spliterator(), false)
                .map(JsonElement::getAsJsonObject);
    }

    private static Map<String, String> tags(JsonObject of) {
        Map<String, String> tags = new TreeMap<>();
        if (of.has("tags")) {
            of.getAsJsonObject("tags")
                    .entrySet()
                    .forEach(tag -> tags.put(
                            tag.getKey().toLowerCase(Locale.ROOT),
                            tag.getValue().getAsString()));
        }
        return tags;
    }
}
