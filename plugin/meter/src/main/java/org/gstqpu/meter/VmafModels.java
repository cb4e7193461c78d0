/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.gstqpu.kernels.quality.MetricOptions;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.quality.VmafModel;

/** Reads models of VMAF from JSON, as libvmaf has them: support vector regressions of libsvm. */
public final class VmafModels {
    /** The score of VMAF's first model, for a television. */
    public static final String PLAIN = "vmaf";
    /** The same without a reward for enhancement. */
    public static final String NEG = "vmaf_neg";
    /** The score of VMAF v1 for 1080 rows, seen from 3 picture heights. */
    public static final String V1 = "vmaf_v1";

    private static final String V1_4K = "vmaf_v1_4k";
    private static final String HIGH_RATE = "_hfr";

    /** From so many samples a picture counts as 4K: those of 2560x1440 and less are shown on a smaller display. */
    private static final int SAMPLES_OF_4K = 2560 * 1440 + 1;

    /** From so many pictures a second a rate counts as high: twice that of film. */
    private static final int HIGH_RATE_FROM = 45;

    /** The file of each score, without its ending. */
    private static final Map<String, String> FILES = new LinkedHashMap<>();

    static {
        FILES.put(V1, "vmaf_v1.0.16_3d0h");
        FILES.put("vmaf_v1_phone", "vmaf_v1.0.16_5d0h");
        FILES.put(V1_4K, "vmaf_v1.0.16_1d5h_2160");
        FILES.put("vmaf_v1_4k_3h", "vmaf_v1.0.16_3d0h_2160");
        for (String name : List.copyOf(FILES.keySet())) {
            FILES.put(name + HIGH_RATE, FILES.get(name).replace("16_", "16_hfr_"));
        }
        FILES.put(PLAIN, "vmaf_v0.6.1");
        FILES.put(NEG, "vmaf_v0.6.1neg");
        FILES.put("vmaf_4k", "vmaf_4k_v0.6.1");
        FILES.put("vmaf_4k_neg", "vmaf_4k_v0.6.1neg");
    }

    private static final String ENDING = ".json";

    /** The largest of libvmaf's models has a tenth of it. */
    private static final int MOST_BYTES = 16 << 20;

    /** How libvmaf's features of models begin and end, by what they are called in its logs. */
    private static final Map<String, String> BEGINNINGS = Map.of(
            "VMAF_integer_feature_",
            "integer_",
            "VMAF_feature_",
            "",
            "Cambi_feature_",
            "",
            "Speed_chroma_feature_",
            "");

    private static final String END = "_score";
    private static final String SPEED_UP = "cambi_high_res_speedup";

    /**
     * An option of a feature.
     *
     * @param label what it is called in libvmaf's logs
     * @param usual the value with which it is not named there
     */
    private record Option(String label, String usual) {}

    private static final Map<String, Option> OPTIONS = Map.ofEntries(
            Map.entry("adm_csf_mode", new Option("csf", "0")),
            Map.entry("adm_dlm_weight", new Option("dlmw", "0.5")),
            Map.entry("adm_enhn_gain_limit", new Option("egl", "100")),
            Map.entry("adm_min_val", new Option("min", "0")),
            Map.entry("adm_noise_weight", new Option("nw", "0.03125")),
            Map.entry("adm_norm_view_dist", new Option("nvd", "3")),
            Map.entry("adm_ref_display_height", new Option("rdh", "1080")),
            Map.entry(SPEED_UP, new Option("hrs", "0")),
            Map.entry("cambi_max_val", new Option("cmxv", "1000")),
            Map.entry("cambi_vis_lum_threshold", new Option("vlt", "0")),
            Map.entry("motion_five_frame_window", new Option("mffw", "false")),
            Map.entry("motion_max_val", new Option("mmxv", "10000")),
            Map.entry("motion_moving_average", new Option("mma", "false")),
            Map.entry("speed_kernelscale", new Option("ks", "1")),
            Map.entry("speed_max_val", new Option("mxv", "1000")),
            Map.entry("speed_nn_floor", new Option("nnf", "0")),
            Map.entry("speed_prescale", new Option("ps", "1")),
            Map.entry("speed_prescale_method", new Option("psm", "nearest")),
            Map.entry("speed_sigma_nn", new Option("snn", "0.29")),
            Map.entry("speed_weight_var_mode", new Option("wvm", "0")),
            Map.entry("vif_enhn_gain_limit", new Option("egl", "100")));

    /** What a feature asks of CAMBI, or of SpEED. */
    private record Asked(boolean ofCambi, MetricOptions options) {}

    private VmafModels() {}

    /** The scores whose models are here. */
    public static Set<String> builtIn() {
        return Collections.unmodifiableSet(FILES.keySet());
    }

    /** The score that is built in of libvmaf's name of a model, such as {@code vmaf_v0.6.1}; empty for other names. */
    static Optional<String> scoreOf(String name) {
        return FILES.entrySet().stream()
                .filter(entry -> entry.getValue().equals(name))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /**
     * The score of VMAF v1 that suits a video.
     *
     * @param width luma samples a row
     * @param height luma rows
     * @param rate pictures a second; 0 if that is not known
     */
    public static String suiting(int width, int height, double rate) {
        String suiting = width * height >= SAMPLES_OF_4K ? V1_4K : V1;
        return rate >= HIGH_RATE_FROM ? suiting + HIGH_RATE : suiting;
    }

    /**
     * One of the models that are here.
     *
     * @param name its score, one of {@link #builtIn()}
     */
    public static VmafModel builtIn(String name) {
        return builtIn(name, Set.of());
    }

    /** As {@link #builtIn(String)}, changed. */
    static VmafModel builtIn(String name, Set<ModelChange> changes) {
        if (!FILES.containsKey(name)) {
            throw new IllegalArgumentException(
                    "there is no model " + name + " here; there are " + String.join(", ", FILES.keySet()));
        }
        String file = FILES.get(name);
        try (InputStream in = VmafModels.class.getResourceAsStream(file + ENDING)) {
            if (in == null) {
                throw new IllegalStateException("this build lacks the model " + file + "; build again");
            }
            return read(file, new InputStreamReader(in, StandardCharsets.UTF_8), changes);
        } catch (IOException e) {
            throw new UncheckedIOException("the model " + name + " cannot be read", e);
        } catch (VmafModelException e) {
            throw new IllegalStateException("this build has a damaged model " + name + "; build again", e);
        }
    }

    /**
     * Reads a model from a file. The file's name without its ending becomes the model's name.
     *
     * @throws IOException when the file cannot be read
     * @throws VmafModelException when it is not a model, or one with a feature that is not measured here; the message names the file
     */
    public static VmafModel read(Path file) throws IOException, VmafModelException {
        return read(file, Set.of());
    }

    /** As {@link #read(Path)}, changed. */
    static VmafModel read(Path file, Set<ModelChange> changes) throws IOException, VmafModelException {
        String name = String.valueOf(file.getFileName());
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new VmafModelException("no VMAF model: it has more than " + (MOST_BYTES >> 20) + " MiB");
            }
            return read(
                    name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name,
                    new StringReader(new String(bytes, StandardCharsets.UTF_8)),
                    changes);
        } catch (VmafModelException e) {
            throw new VmafModelException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads a model.
     *
     * @throws VmafModelException when it is not a model, or one with a feature that is not measured here
     */
    static VmafModel read(String name, Reader json) throws VmafModelException {
        return read(name, json, Set.of());
    }

    private static VmafModel read(String name, Reader json, Set<ModelChange> changes) throws VmafModelException {
        try {
            JsonObject root = JsonParser.parseReader(json).getAsJsonObject();
            if (!root.has("model_dict")) {
                throw new VmafModelException("no VMAF model: the member model_dict is missing"
                        + (root.has("0") ? "; a collection of models is not taken, only a single one" : ""));
            }
            return model(name, root.getAsJsonObject("model_dict"), changes);
        } catch (JsonParseException e) {
            throw new VmafModelException("no VMAF model: it is not in JSON", e);
        } catch (IllegalStateException
                | IllegalArgumentException
                | ClassCastException
                | UnsupportedOperationException
                | IndexOutOfBoundsException e) {
            throw new VmafModelException("no VMAF model: " + firstLine(e), e);
        }
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("it is empty");
    }

    private static VmafModel model(String name, JsonObject dictionary, Set<ModelChange> changes)
            throws VmafModelException {
        String type = member(dictionary, "model_type").getAsString();
        if (!type.equals("LIBSVMNUSVR")) {
            throw new VmafModelException("its type is " + type + ", known is LIBSVMNUSVR");
        }
        Set<Asked> options = new HashSet<>();
        List<QualityFeature> features = features(dictionary, options);
        List<VmafModel.Line> lines = lines(dictionary, features.size() + 1);
        Svm svm = svm(member(dictionary, "model").getAsString(), features.size());
        JsonArray clip = changes.contains(ModelChange.UNCLIPPED) ? null : dictionary.getAsJsonArray("score_clip");
        double chroma = number(dictionary, "chroma_correction_parameter");
        return new VmafModel(
                name,
                features,
                joined(options),
                lines.subList(1, lines.size()),
                lines.get(0),
                svm.gamma,
                svm.rho,
                svm.vectors,
                transform(dictionary, changes.contains(ModelChange.TRANSFORMED)),
                clip == null ? Double.NEGATIVE_INFINITY : clip.get(0).getAsDouble(),
                clip == null ? Double.POSITIVE_INFINITY : clip.get(1).getAsDouble(),
                chroma);
    }

    /** The options of CAMBI and of SpEED as one. */
    private static MetricOptions joined(Set<Asked> asked) throws VmafModelException {
        MetricOptions cambi = only(asked, true);
        MetricOptions speed = only(asked, false);
        return new MetricOptions(
                cambi.encWidth(),
                cambi.encHeight(),
                cambi.encBits(),
                cambi.speedUp(),
                speed.kernelScale(),
                speed.prescale(),
                speed.prescaleMethod());
    }

    private static MetricOptions only(Set<Asked> asked, boolean ofCambi) throws VmafModelException {
        List<MetricOptions> options = asked.stream()
                .filter(one -> one.ofCambi == ofCambi)
                .map(Asked::options)
                .toList();
        if (options.size() > 1) {
            throw new VmafModelException((ofCambi ? "cambi" : "speed_chroma")
                    + " is in it with different options; a model with one of them is taken");
        }
        return options.isEmpty() ? MetricOptions.USUAL : options.get(0);
    }

    private static JsonElement member(JsonObject object, String name) throws VmafModelException {
        JsonElement member = object.get(name);
        if (member == null) {
            throw new VmafModelException("no VMAF model: the member " + name + " is missing");
        }
        return member;
    }

    /** Adds what the features ask of {@link MetricOptions}. */
    private static List<QualityFeature> features(JsonObject dictionary, Set<Asked> asked) throws VmafModelException {
        JsonArray names = member(dictionary, "feature_names").getAsJsonArray();
        JsonArray options = dictionary.getAsJsonArray("feature_opts_dicts");
        List<QualityFeature> features = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            features.add(feature(
                    names.get(i).getAsString(),
                    options == null ? new JsonObject() : options.get(i).getAsJsonObject(),
                    asked));
        }
        return features;
    }

    private static QualityFeature feature(String name, JsonObject options, Set<Asked> asked) throws VmafModelException {
        String plain = label(name);
        Map<String, String> values = new TreeMap<>();
        options.keySet().forEach(key -> values.put(key, text(options.getAsJsonPrimitive(key))));
        Optional<QualityFeature> usual = QualityFeature.named(label(plain, values));
        MetricOptions chosen = MetricOptions.USUAL;
        Map<String, String> others = new TreeMap<>(values);
        if (usual.isEmpty()) {
            others.keySet().removeAll(MetricOptions.NAMES);
            if (plain.equals("cambi")) {
                // Its usual name has a speed-up, and libvmaf's default is none.
                others.put(SPEED_UP, Integer.toString(chosen.speedUp()));
                values.putIfAbsent(SPEED_UP, "0");
            }
            for (String option : MetricOptions.NAMES) {
                chosen = values.containsKey(option) ? chosen.with(option, values.get(option)) : chosen;
            }
        }
        QualityFeature feature = QualityFeature.named(label(plain, others))
                .orElseThrow(() -> new VmafModelException("the feature " + name + " is not "
                        + (options.size() == 0 ? "known" : "measured with " + inWords(options))));
        if (feature.metric().takesOptions()) {
            asked.add(new Asked(feature.metric() == QualityMetric.CAMBI, chosen));
        }
        return feature;
    }

    private static String inWords(JsonObject options) {
        return new TreeSet<>(options.keySet())
                .stream()
                        .map(key -> key + " " + text(options.getAsJsonPrimitive(key)))
                        .collect(Collectors.joining(", "));
    }

    /** A feature with options in libvmaf's logs. */
    private static String label(String plain, Map<String, String> values) {
        StringBuilder label = new StringBuilder(plain);
        values.forEach((key, value) -> {
            Option option = OPTIONS.getOrDefault(key, new Option(key, ""));
            if (!value.equals(option.usual)) {
                label.append('_').append(option.label).append(value.equals("true") ? "" : "_" + value);
            }
        });
        return label.toString();
    }

    /** What libvmaf's logs call a feature of a model. */
    private static String label(String name) {
        for (Map.Entry<String, String> beginning : BEGINNINGS.entrySet()) {
            if (name.startsWith(beginning.getKey()) && name.endsWith(END)) {
                String stem = name.substring(beginning.getKey().length(), name.length() - END.length());
                return beginning.getValue() + stem;
            }
        }
        return name;
    }

    /** Without zeros at the end, as libvmaf prints numbers. */
    private static String text(JsonPrimitive value) {
        return value.isNumber() ? value.getAsBigDecimal().stripTrailingZeros().toPlainString() : value.getAsString();
    }

    /** How the score is scaled, then how each feature is. */
    private static List<VmafModel.Line> lines(JsonObject dictionary, int count) throws VmafModelException {
        String type = member(dictionary, "norm_type").getAsString();
        List<VmafModel.Line> lines = new ArrayList<>();
        if (type.equals("none")) {
            for (int i = 0; i < count; i++) {
                lines.add(VmafModel.Line.NONE);
            }
            return lines;
        }
        if (!type.equals("linear_rescale")) {
            throw new VmafModelException("its norm_type is " + type + ", known are linear_rescale and none");
        }
        JsonArray slopes = member(dictionary, "slopes").getAsJsonArray();
        JsonArray intercepts = member(dictionary, "intercepts").getAsJsonArray();
        for (int i = 0; i < count; i++) {
            lines.add(new VmafModel.Line(
                    slopes.get(i).getAsDouble(), intercepts.get(i).getAsDouble()));
        }
        return lines;
    }

    private static VmafModel.Transform transform(JsonObject dictionary, boolean wanted) {
        JsonObject transform = dictionary.getAsJsonObject("score_transform");
        // libvmaf applies what is there only if the file or the user says so.
        if (transform == null || !(wanted || isEnabled(transform))) {
            return VmafModel.Transform.NONE;
        }
        boolean polynomial = has(transform, "p0") || has(transform, "p1") || has(transform, "p2");
        List<VmafModel.Knot> knots = new ArrayList<>();
        if (has(transform, "knots")) {
            for (JsonElement knot : transform.getAsJsonArray("knots")) {
                JsonArray corner = knot.getAsJsonArray();
                knots.add(new VmafModel.Knot(
                        corner.get(0).getAsDouble(), corner.get(1).getAsDouble()));
            }
        }
        return new VmafModel.Transform(
                number(transform, "p0"),
                polynomial ? number(transform, "p1") : 1,
                number(transform, "p2"),
                knots,
                isTrue(transform, "out_lte_in"),
                isTrue(transform, "out_gte_in"));
    }

    private static boolean isEnabled(JsonObject transform) {
        return transform.has("enabled") && transform.get("enabled").getAsBoolean();
    }

    private static boolean has(JsonObject object, String name) {
        return object.has(name) && !object.get(name).isJsonNull();
    }

    private static double number(JsonObject object, String name) {
        return has(object, name) ? object.get(name).getAsDouble() : 0;
    }

    private static boolean isTrue(JsonObject object, String name) {
        return has(object, name) && object.get(name).getAsString().equals("true");
    }

    private record Svm(double gamma, double rho, List<VmafModel.SupportVector> vectors) {}

    /** Reads libsvm's text: lines of a name and its value, then the support vectors: a weight, and numbered coordinates. */
    private static Svm svm(String text, int dimensions) throws VmafModelException {
        double gamma = Double.NaN;
        double rho = Double.NaN;
        boolean inVectors = false;
        List<VmafModel.SupportVector> vectors = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] words = line.trim().split("\\s+");
            if (inVectors) {
                if (!line.isBlank()) {
                    vectors.add(vector(words, dimensions));
                }
                continue;
            }
            switch (words[0]) {
                case "svm_type" -> expect(words, "nu_svr");
                case "kernel_type" -> expect(words, "rbf");
                case "gamma" -> gamma = Double.parseDouble(words[1]);
                case "rho" -> rho = Double.parseDouble(words[1]);
                case "SV" -> inVectors = true;
                default -> {
                    // The number of classes and of vectors says nothing new.
                }
            }
        }
        if (Double.isNaN(gamma) || Double.isNaN(rho) || vectors.isEmpty()) {
            throw new VmafModelException("no VMAF model: its regression lacks gamma, rho or support vectors");
        }
        return new Svm(gamma, rho, vectors);
    }

    private static void expect(String[] words, String known) throws VmafModelException {
        if (!words[1].equals(known)) {
            throw new VmafModelException("its " + words[0] + " is " + words[1] + ", known is " + known);
        }
    }

    private static VmafModel.SupportVector vector(String[] words, int dimensions) throws VmafModelException {
        Double[] at = new Double[dimensions];
        // Coordinates that are left out are 0.
        Arrays.fill(at, 0.0);
        for (int i = 1; i < words.length; i++) {
            int colon = words[i].indexOf(':');
            int dimension = Integer.parseInt(words[i].substring(0, colon));
            if (dimension < 1 || dimension > dimensions) {
                throw new VmafModelException(
                        "it has " + dimensions + " features, and a support vector has number " + dimension);
            }
            at[dimension - 1] = Double.valueOf(words[i].substring(colon + 1));
        }
        return new VmafModel.SupportVector(Double.parseDouble(words[0]), List.of(at));
    }
}
