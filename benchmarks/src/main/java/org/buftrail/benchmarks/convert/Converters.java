package org.buftrail.benchmarks.convert;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import one.convert.Arguments;
import one.convert.JfrToOtlp;
import one.jfr.JfrReader;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;
import org.buftrail.profile.Kind;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.buftrail.profile.otlp.write.OtlpWriter;

/** The converters that are compared, each from a file to OTLP bytes or to numbers. */
final class Converters {
  private static final String[] DEFAULT_PASS = {"-o", "otlp"};
  private static final List<String> PASSES = List.of("--cpu", "--wall", "--alloc", "--lock");

  private Converters() {}

  /** Counts bytes and forgets them. */
  static final class Sink extends OutputStream {
    private long size;

    @Override
    public void write(int b) {
      size++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      size += length;
    }

    long size() {
      return size;
    }
  }

  /** Buftrail's, with the memory of earlier conversions. */
  static final class Own {
    private final Converter converter;
    private final OtlpWriter writer = new OtlpWriter();

    Own(Kind... kinds) {
      converter =
          new Converter(
              kinds.length == 0
                  ? Options.DEFAULT
                  : Options.DEFAULT.kinds(EnumSet.of(kinds[0], kinds)));
    }

    Profiles profiles(Path recording) throws IOException {
      return converter.convert(List.of(recording)).profiles();
    }

    long convert(Path recording, OutputStream target) throws IOException {
      Profiles profiles = profiles(recording);
      writer.write(profiles, target);
      return profiles.profiles().size();
    }

    /** Converts; answers how many bytes it wrote. */
    long size(Path recording) throws IOException {
      Sink sink = new Sink();
      convert(recording, sink);
      return sink.size();
    }

    /** The sum of all values of what a recording becomes. */
    long total(Path recording) throws IOException {
      ByteArrayOutputStream written = new ByteArrayOutputStream();
      convert(recording, written);
      return Converters.total(written.toByteArray());
    }
  }

  /** jfr-converter's pass with the given options. */
  static void peer(Path recording, OutputStream target, String... options) throws IOException {
    try (JfrReader reader = new JfrReader(recording.toString())) {
      JfrToOtlp converter = new JfrToOtlp(reader, new Arguments(options));
      converter.convert();
      converter.dump(target);
    }
  }

  /** jfr-converter without options: all that samples time, as one profile. */
  static void peer(Path recording, OutputStream target) throws IOException {
    peer(recording, target, DEFAULT_PASS);
  }

  /** Converts with jfr-converter without options; answers how many bytes it wrote. */
  static long peerSize(Path recording) throws IOException {
    Sink sink = new Sink();
    peer(recording, sink);
    return sink.size();
  }

  /** The sum of all values of what jfr-converter makes of a recording without options. */
  static long peerTotal(Path recording) throws IOException {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    peer(recording, written);
    return total(written.toByteArray());
  }

  /** jfr-converter once for each kind that it knows in most recordings. */
  static void peerPasses(Path recording, OutputStream target) throws IOException {
    for (String pass : PASSES) {
      peer(recording, target, "-o", "otlp", pass);
    }
  }

  /** The JDK's reader: events with their frames. */
  static long jdk(Path recording) throws IOException {
    long seen = 0;
    try (RecordingFile file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        RecordedStackTrace trace = event.getStackTrace();
        seen += 1 + (trace == null ? 0 : trace.getFrames().size());
      }
    }
    return seen;
  }

  /** The sum of all values of a type of sample in OTLP bytes. */
  private static long total(byte[] otlp) throws IOException {
    long total = 0;
    for (Profiles profiles : OtlpReader.read(new ByteArrayInputStream(otlp))) {
      for (Profile profile : profiles.profiles()) {
        total += profile.total();
      }
    }
    return total;
  }
}
