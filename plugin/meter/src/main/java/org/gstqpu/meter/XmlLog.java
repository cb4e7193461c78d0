/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes what was measured as libvmaf's log in XML. Belongs to one thread. */
final class XmlLog {
    private final XMLStreamWriter out;

    private XmlLog(XMLStreamWriter out) {
        this.out = out;
    }

    /**
     * Writes a log, and leaves the writer open.
     *
     * @param counts numbers of the whole, by name
     * @throws IOException if the writer fails
     */
    static void write(Writer to, Measurement measured, int width, int height, Map<String, Long> counts)
            throws IOException {
        try {
            XMLStreamWriter out = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(to);
            new XmlLog(out).write(measured, width, height, counts);
            out.close();
        } catch (XMLStreamException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void write(Measurement measured, int width, int height, Map<String, Long> counts)
            throws XMLStreamException {
        begin(0, "VMAF");
        empty(1, "params", Map.of("qualityWidth", width));
        out.writeAttribute("qualityHeight", String.valueOf(height));
        empty(1, "counts", counts);
        begin(1, "frames");
        for (int picture : measured.log().numbers().toArray()) {
            empty(2, "frame", Map.of("frameNum", picture));
            attributes(Measurement.finite(measured.figures(picture)));
        }
        end(1);
        begin(1, "pooled_metrics");
        for (var pooled : measured.pooled().entrySet()) {
            empty(2, "metric", Map.of("name", pooled.getKey()));
            attributes(Measurement.poolings(pooled.getValue()));
        }
        end(1);
        empty(1, "aggregate_metrics", Map.of());
        end(0);
        out.writeCharacters("\n");
    }

    private void begin(int depth, String name) throws XMLStreamException {
        line(depth);
        out.writeStartElement(name);
    }

    private void end(int depth) throws XMLStreamException {
        line(depth);
        out.writeEndElement();
    }

    private void empty(int depth, String name, Map<String, ?> attributes) throws XMLStreamException {
        line(depth);
        out.writeEmptyElement(name);
        for (var attribute : attributes.entrySet()) {
            out.writeAttribute(attribute.getKey(), String.valueOf(attribute.getValue()));
        }
    }

    private void attributes(Map<String, Double> figures) throws XMLStreamException {
        for (var figure : figures.entrySet()) {
            out.writeAttribute(attributeName(figure.getKey()), String.format(Locale.ROOT, "%.6f", figure.getValue()));
        }
    }

    /** A model's file may call it anything. */
    private static String attributeName(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9_.-]", "_");
        return plain.matches("[A-Za-z_].*") ? plain : "_" + plain;
    }

    private void line(int depth) throws XMLStreamException {
        out.writeCharacters("\n" + "  ".repeat(depth));
    }
}
