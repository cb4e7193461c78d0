/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.VmafModel;

/** Reads models of VMAF from JSON, as libvmaf has them: support vector regressions of libsvm. */
public final class VmafModels {
    /** VMAF's model for a television. */
    public static final String PLAIN = "vmaf_v0.6.1";
    /** The same without a reward for enhancement. */
    public static final String NEG = "vmaf_v0.6.1neg";

    private static final String ENDING = ".json";

    private VmafModels() {}

    /**
     * One of the models that are here.
     *
     * @param name {@link #PLAIN} or {@link #NEG}
     */
    public static VmafModel builtIn(String name) {
        try (InputStream in = VmafModels.class.getResourceAsStream(name + ENDING)) {
            if (in == null) {
                throw new IllegalArgumentException(
                        "there is no model " + name + " here; there are " + PLAIN + " and " + NEG);
            }
            return read(name, new InputStreamReader(in, StandardCharsets.UTF_8));
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
        String name = String.valueOf(file.getFileName());
        try (Reader in = Files.newBufferedReader(file)) {
            return read(name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name, in);
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
        try {
            JsonObject root = JsonParser.parseReader(json).getAsJsonObject();
            if (!root.has("model_dict")) {
                throw new VmafModelException("no VMAF model: the member model_dict is missing"
                        + (root.has("0") ? "; a collection of models is not taken, only a single one" : ""));
            }
            return model(name, root.getAsJsonObject("model_dict"));
        } catch (JsonParseException
                | IllegalStateException
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

    private static VmafModel model(String name, JsonObject dictionary) throws VmafModelException {
        String type = member(dictionary, "model_type").getAsString();
        if (!type.equals("LIBSVMNUSVR")) {
            throw new VmafModelException("its type is " + type + ", known is LIBSVMNUSVR");
        }
        List<QualityFeature> features = features(dictionary);
        List<VmafModel.Line> lines = lines(dictionary, features.size() + 1);
        Svm svm = svm(member(dictionary, "model").getAsString(), features.size());
        JsonArray clip = dictionary.getAsJsonArray("score_clip");
        return new VmafModel(
                name,
                features,
                lines.subList(1, lines.size()),
                lines.get(0),
                svm.gamma,
                svm.rho,
                svm.vectors,
                transform(dictionary),
                clip == null ? Double.NEGATIVE_INFINITY : clip.get(0).getAsDouble(),
                clip == null ? Double.POSITIVE_INFINITY : clip.get(1).getAsDouble());
    }

    private static JsonElement member(JsonObject object, String name) throws VmafModelException {
        JsonElement member = object.get(name);
        if (member == null) {
            throw new VmafModelException("no VMAF model: the member " + name + " is missing");
        }
        return member;
    }

    private static List<QualityFeature> features(JsonObject dictionary) throws VmafModelException {
        JsonArray names = member(dictionary, "feature_names").getAsJsonArray();
        JsonArray options = dictionary.getAsJsonArray("feature_opts_dicts");
        List<QualityFeature> features = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            features.add(feature(
                    names.get(i).getAsString(),
                    options == null ? new JsonObject() : options.get(i).getAsJsonObject()));
        }
        return features;
    }

    private static QualityFeature feature(String name, JsonObject options) throws VmafModelException {
        QualityFeature feature = QualityFeature.named(name)
                .orElseThrow(() -> new VmafModelException("the feature " + name + " is not known"));
        for (Map.Entry<String, JsonElement> option : options.entrySet()) {
            boolean isLimit = option.getKey().endsWith("_enhn_gain_limit");
            double value = isLimit ? option.getValue().getAsDouble() : 0;
            if (isLimit && value == 1) {
                feature = feature.withGainLimit1()
                        .orElseThrow(() -> new VmafModelException(
                                "the feature " + name + " is not measured with a gain limit of 1"));
            } else if (!isLimit || value != 100) {
                throw new VmafModelException("the feature " + name + " is not measured with " + option.getKey() + " "
                        + option.getValue().getAsString());
            }
        }
        return feature;
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

    private static VmafModel.Transform transform(JsonObject dictionary) {
        JsonObject transform = dictionary.getAsJsonObject("score_transform");
        // libvmaf applies what is there only if it says so.
        if (transform == null
                || !transform.has("enabled")
                || !transform.get("enabled").getAsBoolean()) {
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
